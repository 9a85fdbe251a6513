import { createPublicKey, verify } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { describe, expect, it } from 'vitest';
import { isEd25519 } from '../../src/verifier/ed25519.js';
import { seeded } from './bundles.js';
import { type Corner, corners } from './ed25519-corners.js';

/** The verdict of OpenSSL. */
function byOpenSsl({ signature, message, publicKey }: Corner): boolean {
  const x = Buffer.from(publicKey).toString('base64url');
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
  return verify(null, message, key, signature);
}

const all = corners();

describe('a signature', () => {
  it('is right when OpenSSL finds it right and neither A nor R is of small order or written in another way', () => {
    for (const corner of all) {
      const { name, signature, message, publicKey, strict } = corner;
      expect(`${name}: ${isEd25519(signature, message, publicKey)}`).toBe(`${name}: ${strict && byOpenSsl(corner)}`);
    }
  });

  it('has corners of every sort among them', () => {
    const right = all.filter(({ signature, message, publicKey }) => isEd25519(signature, message, publicKey));
    const cofactored = all.filter(({ signature, message, publicKey }) => {
      try {
        return ed25519.verify(signature, message, publicKey, { zip215: true });
      } catch {
        return false;
      }
    });
    expect(all.length).toBeGreaterThan(250);
    expect(right.length).toBeGreaterThan(20);
    expect(cofactored.length).toBeGreaterThan(right.length + 100);
    // Looser than we are: those that only someone makes who wants verifiers to disagree.
    expect(all.filter((corner) => byOpenSsl(corner) && !corner.strict).length).toBeGreaterThan(5);
  });

  it('is found right or wrong as OpenSSL does, no matter what bit of it is turned', () => {
    const secret = seeded('secret');
    const publicKey = ed25519.getPublicKey(secret);
    const message = seeded('message');
    const signature = ed25519.sign(message, secret);
    expect(isEd25519(signature, message, publicKey)).toBe(true);
    for (let bit = 0; bit < 512; bit += 5) {
      const turned = signature.with(bit >> 3, (signature[bit >> 3] ?? 0) ^ (1 << (bit & 7)));
      expect(isEd25519(turned, message, publicKey)).toBe(false);
      if (bit >= 256) continue;
      const other = publicKey.with(bit >> 3, (publicKey[bit >> 3] ?? 0) ^ (1 << (bit & 7)));
      expect(isEd25519(signature, message, other)).toBe(false);
    }
    for (const length of [0, 31, 33]) expect(isEd25519(signature, message, new Uint8Array(length))).toBe(false);
    for (const length of [0, 63, 65]) expect(isEd25519(new Uint8Array(length), message, publicKey)).toBe(false);
  });
});
