import { createHash, createPublicKey, type KeyObject, verify as verifySignature } from 'node:crypto';
import { BoundedCache } from '../base/bounded-cache.js';
import { behind, type CurveKey, type CurveName, curveNames, curves } from '../domain/identity/curves.js';
import { fromBase58 } from '../domain/identity/encodings.js';
import { toSpki } from '../domain/identity/spki.js';
import { createQueue } from '../domain/queue.js';
import { canonical } from '../verifier/canonical.js';

interface SignatureKey {
  readonly curve: CurveName;
  /** The SHA-256 thumbprint of the key as JWK (RFC 7638). */
  readonly thumbprint: string;
}

/** Public keys, and the check of signatures beside the main thread. Keys are written as multikeys. */
export interface SignatureKeys {
  /** Null for a text that is not a multikey, such as the address of an account of Ethereum. */
  read(multikey: string): SignatureKey | null;
  /**
   * Whether the holder of the key has signed `message`: with Ed25519, or with ECDSA over SHA-256.
   * @param owner whose work it is: see `Task`
   * @param signature of ECDSA r ‖ s, or DER
   * @throws Refusal rate_limited when too much waits
   */
  verify(owner: string, multikey: string, message: Uint8Array, signature: Uint8Array): Promise<boolean>;
}

interface PreparedKey extends SignatureKey {
  readonly key: KeyObject;
}

/** Preparing a key takes 0.1 ms. The least recently used keys are prepared again. */
const preparedKeys = 1000;
/** Signatures that are checked at once. The other threads of the pool remain free for files and names. */
const atOnce = 2;
/** Bytes of all messages that are checked or wait. Each request has one at a time. */
const heldBytes = 64 * 1024 * 1024;

export function createSignatureKeys(): SignatureKeys {
  const prepared = new BoundedCache<PreparedKey | null>(preparedKeys);
  const queue = createQueue({ atOnce, heldBytes });
  const keyOf = (multikey: string): PreparedKey | null => {
    const known = prepared.get(multikey);
    if (known !== undefined) return known;
    const key = prepare(multikey);
    prepared.set(multikey, key);
    return key;
  };
  return {
    read: keyOf,
    async verify(owner, multikey, message, signature) {
      const known = keyOf(multikey);
      if (known === null) return false;
      return queue({ owner, bytes: message.length }, () => isSigned(known, message, signature));
    },
  };
}

function prepare(multikey: string): PreparedKey | null {
  const point = pointOf(multikey);
  if (point === null) return null;
  const key = createPublicKey({ key: toSpki(point), format: 'der', type: 'spki' });
  const { kty, crv, x, y } = key.export({ format: 'jwk' });
  const thumbprint = createHash('sha256').update(canonical({ kty, crv, x, y }), 'utf8').digest('base64url');
  return { key, curve: point.curve, thumbprint };
}

/** Keys were checked when they were added: whether a point is weak takes 1 ms, and is not checked again. */
function pointOf(multikey: string): CurveKey | null {
  const bytes = multikey.startsWith('z') ? fromBase58(multikey.slice(1)) : null;
  if (bytes === null) return null;
  for (const curve of curveNames) {
    const point = behind(curves[curve].codec, bytes);
    if (point) return { curve, bytes: point };
  }
  return null;
}

function isSigned({ key, curve }: PreparedKey, message: Uint8Array, signature: Uint8Array): Promise<boolean> {
  const dsaEncoding = signature.length === 64 ? 'ieee-p1363' : 'der';
  const algorithm = curve === 'Ed25519' ? null : 'sha256';
  return new Promise((resolve, reject) => {
    verifySignature(algorithm, message, { key, dsaEncoding }, signature, (error, isValid) => {
      if (error) reject(error);
      else resolve(isValid);
    });
  });
}
