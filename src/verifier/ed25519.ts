import { ed25519 } from '@noble/curves/ed25519.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { concat, equal } from './bytes.js';

const { Point } = ed25519;
const order = Point.Fn.ORDER;
type CurvePoint = InstanceType<typeof Point>;

/**
 * Ed25519 (RFC 8032) as OpenSSL and Go check it, and stricter: R is computed again as [S]B - [k]A and compared byte by
 * byte, without the factor 8 that RFC 8032 allows; A and R must have their canonical encoding and must not be of small
 * order; S must be below the order. Every other verifier accepts what is accepted here, so no signature can be valid
 * for some verifiers and invalid for others.
 */
export function isEd25519(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  if (signature.length !== 64 || publicKey.length !== 32) return false;
  const r = signature.subarray(0, 32);
  const s = littleEndian(signature.subarray(32));
  if (s >= order) return false;
  const key = pointOf(publicKey);
  if (!key || !pointOf(r)) return false;
  const k = littleEndian(sha512(concat(r, publicKey, message))) % order;
  const expected = Point.BASE.multiplyUnsafe(s).subtract(key.multiplyUnsafe(k));
  return equal(expected.toBytes(), r);
}

/** Null for bytes that are not the canonical encoding of a point, and for the eight points of small order. */
function pointOf(bytes: Uint8Array): CurvePoint | null {
  try {
    const point = Point.fromBytes(bytes);
    return point.isSmallOrder() ? null : point;
  } catch {
    return null;
  }
}

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((number, byte) => number * 256n + BigInt(byte), 0n);
}
