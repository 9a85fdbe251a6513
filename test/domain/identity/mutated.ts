import { generateKeyPairSync, randomBytes, randomInt } from 'node:crypto';
import { writingsOf } from './writings.js';

const characters = '0123456789abcdefABCDEFzuxX:=+/-_ \n\t\0.{}"é\ud800';

/** Writings of keys, most of them with a few changes, and writings of random points. */
export function* mutated(count: number): Generator<unknown> {
  const originals = originalWritings();
  for (let made = 0; made < count; made += 1) {
    const original = originals[randomInt(originals.length)];
    yield typeof original === 'string' ? changedText(original) : changedJwk(original);
  }
}

function originalWritings(): unknown[] {
  const keys = Array.from({ length: 5 }, () => [
    generateKeyPairSync('ed25519').publicKey,
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey,
    generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey,
  ]).flat();
  return [...keys.flatMap(writingsOf), '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'];
}

function changedText(text: string): string {
  if (randomInt(6) === 0 && /^[0-9a-f]{64}$/i.test(text)) return randomBytes(32).toString('hex');
  let changed = text;
  for (let changes = randomInt(4); changes > 0; changes -= 1) {
    const at = randomInt(changed.length + 1);
    const kind = randomInt(5);
    const one = characters.charAt(randomInt(characters.length));
    if (kind === 0) changed = changed.slice(0, at) + one + changed.slice(at + 1);
    if (kind === 1) changed = changed.slice(0, at) + one + changed.slice(at);
    if (kind === 2) changed = changed.slice(0, at) + changed.slice(at + 1);
    if (kind === 3) changed = randomInt(2) === 0 ? changed.toUpperCase() : changed.toLowerCase();
    if (kind === 4) changed = changed.slice(0, at) + changed.slice(randomInt(changed.length + 1));
  }
  return changed;
}

function changedJwk(jwk: unknown): unknown {
  const members = Object.entries(Object(jwk));
  const values = [
    null,
    7,
    '',
    [],
    {},
    'Ed25519',
    'P-256',
    'secp256k1',
    'EC',
    'OKP',
    randomBytes(32).toString('base64url'),
  ];
  const change = randomInt(5);
  const at = randomInt(members.length);
  if (change === 0) return jwk;
  if (change === 1) members.splice(at, 1);
  if (change === 2)
    members.push([
      ['d', 'y', 'alg', 'use', 'kid', 'x5c', '__proto__'][randomInt(7)] ?? '',
      values[randomInt(values.length)],
    ]);
  if (change >= 3) {
    const [name = '', value] = members[at] ?? [];
    members[at] = [
      name,
      typeof value === 'string' && change === 3 ? changedText(value) : values[randomInt(values.length)],
    ];
  }
  return Object.fromEntries(members);
}
