import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';

export type CurveName = 'Ed25519' | 'P-256' | 'secp256k1';

/** A point that was found to be a public key. */
export interface CurveKey {
  readonly curve: CurveName;
  /** 32 bytes for Ed25519, and the compressed point of 33 bytes for the other curves. */
  readonly bytes: Uint8Array;
}

interface Curve {
  /** The varint of its multicodec. */
  readonly codec: Uint8Array;
  /** The DER of a SubjectPublicKeyInfo up to the bytes of the point, by the number of these bytes. */
  readonly spki: ReadonlyMap<number, Uint8Array>;
  /** @throws for bytes that are not a point of the curve, or one that no honest key has */
  compress(bytes: Uint8Array): Uint8Array;
}

const hex = (text: string): Uint8Array => Buffer.from(text, 'hex');

export const curves: { readonly [C in CurveName]: Curve } = {
  Ed25519: {
    codec: hex('ed01'),
    spki: new Map([[32, hex('302a300506032b6570032100')]]),
    compress(bytes) {
      const point = ed25519.Point.fromBytes(bytes);
      // With a part of small order, one key would have eight points, and signatures that verifiers disagree on.
      if (point.isSmallOrder() || !point.isTorsionFree()) throw new Error('a point outside the large subgroup');
      return point.toBytes();
    },
  },
  'P-256': {
    codec: hex('8024'),
    spki: new Map([
      [33, hex('3039301306072a8648ce3d020106082a8648ce3d030107032200')],
      [65, hex('3059301306072a8648ce3d020106082a8648ce3d030107034200')],
    ]),
    compress: (bytes) => p256.Point.fromBytes(bytes).toBytes(true),
  },
  secp256k1: {
    codec: hex('e701'),
    spki: new Map([
      [33, hex('3036301006072a8648ce3d020106052b8104000a032200')],
      [65, hex('3056301006072a8648ce3d020106052b8104000a034200')],
    ]),
    compress: (bytes) => secp256k1.Point.fromBytes(bytes).toBytes(true),
  },
};

export const curveNames: readonly CurveName[] = ['Ed25519', 'P-256', 'secp256k1'];

/**
 * @param bytes 32 bytes for Ed25519; 33 or 65 bytes (SEC 1) for the other curves
 * @returns null for bytes that are not a point of the curve, not its canonical encoding, or of small order
 */
export function curveKey(curve: CurveName, bytes: Uint8Array): CurveKey | null {
  try {
    return { curve, bytes: curves[curve].compress(bytes) };
  } catch {
    return null;
  }
}

/** The part of `bytes` behind `prefix`, or null if they begin otherwise. */
export function behind(prefix: Uint8Array, bytes: Uint8Array): Uint8Array | null {
  return Buffer.compare(bytes.subarray(0, prefix.length), prefix) === 0 ? bytes.subarray(prefix.length) : null;
}
