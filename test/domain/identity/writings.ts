import { createPublicKey, type KeyObject } from 'node:crypto';
import { type CurveName, curves } from '../../../src/domain/identity/curves.js';
import { toBase58 } from '../../../src/domain/identity/encodings.js';

/** The public key of a JWK in all its writings, as other libraries and people make them. */
export function writingsOf(key: KeyObject): readonly unknown[] {
  const { kty, crv, x = '', y } = key.export({ format: 'jwk' });
  const curve: CurveName = kty === 'OKP' ? 'Ed25519' : crv === 'P-256' ? 'P-256' : 'secp256k1';
  const jwk = { kty, crv, x, ...(y === undefined ? {} : { y }) };
  const pem = key.export({ format: 'pem', type: 'spki' }).toString();
  const point = y === undefined ? Buffer.from(x, 'base64url') : compressed(x, y);
  const coded = Buffer.concat([curves[curve].codec, point]);
  const [z, u] = [`z${toBase58(coded)}`, `u${coded.toString('base64url')}`];
  const raw =
    curve === 'Ed25519'
      ? [point.toString('hex'), point.toString('hex').toUpperCase(), point.toString('base64url')]
      : [];
  const short = curves[curve].spki.get(33);
  const compressedPem = short ? [pemOf(Buffer.concat([short, point]))] : [];
  return [
    jwk,
    { ...jwk, kid: 'one', use: 'sig', key_ops: ['verify'], ext: true },
    pem,
    pem.replaceAll('\n', '\r\n').trimEnd(),
    pemOf(key.export({ format: 'der', type: 'spki' })),
    ...compressedPem,
    `did:key:${z}`,
    `did:key:${u}`,
    z,
    u,
    ...raw,
  ];
}

function compressed(x: string, y: string): Buffer {
  const odd = (Buffer.from(y, 'base64url').at(-1) ?? 0) & 1;
  return Buffer.concat([Uint8Array.of(2 + odd), Buffer.from(x, 'base64url')]);
}

/** In one long line, as some programs write it. */
export function pemOf(der: Uint8Array, label = 'PUBLIC KEY'): string {
  return `-----BEGIN ${label}-----\n${Buffer.from(der).toString('base64')}\n-----END ${label}-----\n`;
}

/** The key that a multikey is of, by another way than the code under test: the JWK that node:crypto writes. */
export function keyOf(curve: CurveName, point: Uint8Array): string {
  const prefix = curves[curve].spki.get(point.length) ?? Buffer.alloc(0);
  const key = createPublicKey({ key: Buffer.concat([prefix, point]), format: 'der', type: 'spki' });
  return JSON.stringify(key.export({ format: 'jwk' }));
}
