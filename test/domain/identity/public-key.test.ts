import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fromStored } from '../../../src/domain/identity/multikey.js';
import { readBoundKey, readPublicKey } from '../../../src/domain/identity/public-key.js';
import { repeats } from '../../support/repeats.js';
import { mutated } from './mutated.js';
import { refusedKeys } from './refused-keys.js';
import { keyOf, writingsOf } from './writings.js';

const kinds: readonly (readonly [string, () => KeyObject])[] = [
  ['Ed25519', () => generateKeyPairSync('ed25519').publicKey],
  ['P-256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey],
  ['secp256k1', () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey],
];

describe('public keys', () => {
  // @covers IDENTITY-ONE-BINDING
  it.each(kinds)('all writings of a key of %s are one', (_kind, make) => {
    for (let round = 0; round < 50; round += 1) {
      const writings = writingsOf(make());
      const bound = new Set(writings.map(readBoundKey));
      expect([...bound], JSON.stringify(writings[0])).toEqual([expect.stringMatching(/^z/)]);
      expect(writings).toContain([...bound][0]);
    }
  });

  // @covers IDENTITY-ADDRESS
  it('all writings of an address are one, and it is another identity than its key', () => {
    // The first example of EIP-55.
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    const lower = address.toLowerCase();
    const writings = [address, lower, `0x${lower.slice(2).toUpperCase()}`, `eip155:${lower}`, `eip155:${address}`];
    expect(new Set(writings.map(readBoundKey))).toEqual(new Set([`eip155:${lower}`]));
    expect(writings.map(readPublicKey)).toEqual(writings.map(() => null));
  });

  // @covers IDENTITY-KEY-REFUSED
  it.each(refusedKeys())('%s is refused: %j', (_why, written) => {
    expect(readBoundKey(written)).toBeNull();
  });

  // @covers IDENTITY-MUTATED
  it('each of many changed writings is one binding or refused, and no key has two bindings', () => {
    const seen = new Map<string, string>();
    let accepted = 0;
    for (const written of mutated(repeats('KEYS'))) {
      const bound = readBoundKey(written);
      if (bound === null || bound.startsWith('eip155:')) continue;
      accepted += 1;
      expect(readBoundKey(bound)).toBe(bound);
      const { curve, bytes } = fromStored(bound);
      const key = keyOf(curve, bytes);
      expect(seen.get(key) ?? bound, JSON.stringify(written)).toBe(bound);
      seen.set(key, bound);
      for (const other of writingsOf(createPublicKey({ key: JSON.parse(key), format: 'jwk' })))
        if (accepted % 50 === 0) expect(readBoundKey(other)).toBe(bound);
    }
    // Neither all nor none of them are keys.
    expect(accepted).toBeGreaterThan(repeats('KEYS') / 50);
    expect(accepted).toBeLessThan(repeats('KEYS') / 2);
  });
});
