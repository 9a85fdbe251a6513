import { behind, type CurveKey, curveKey, curveNames, curves } from './curves.js';
import { fromBase58, fromBase64Url, toBase58 } from './encodings.js';

/** `z`, and base58btc of the codec and the key: the one writing of a key that is stored. */
export function toMultikey({ curve, bytes }: CurveKey): string {
  return `z${toBase58(Buffer.concat([curves[curve].codec, bytes]))}`;
}

/** Multibase in base58btc (`z`) or base64url (`u`). Null for anything but a public key of one of the three curves. */
export function fromMultibase(text: string): CurveKey | null {
  const key = decoded(text);
  return key && curveKey(key.curve, key.bytes);
}

/** A key that `toMultikey` has written. Its point was checked then, which takes more time than to check a signature. */
export function fromStored(multikey: string): CurveKey {
  const key = decoded(multikey);
  if (!key) throw new Error('a stored key is not a multikey');
  return key;
}

function decoded(text: string): CurveKey | null {
  const bytes = fromBase(text.charAt(0), text.slice(1));
  if (bytes === null) return null;
  for (const curve of curveNames) {
    const key = behind(curves[curve].codec, bytes);
    // Points of 65 bytes are not compressed, and a key would have two writings.
    if (key) return key.length === (curve === 'Ed25519' ? 32 : 33) ? { curve, bytes: key } : null;
  }
  return null;
}

function fromBase(base: string, digits: string): Uint8Array | null {
  if (base === 'z') return fromBase58(digits);
  return base === 'u' ? fromBase64Url(digits) : null;
}
