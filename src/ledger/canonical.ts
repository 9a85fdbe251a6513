import { canonical } from '../verifier/canonical.js';

/**
 * The canonical text (RFC 8785) as UTF-8: the bytes that are hashed and stored.
 * @throws NotCanonical as `canonical` does
 */
export function canonicalBytes(value: unknown): Uint8Array {
  // A TextEncoder takes twice as long for texts as short as entries.
  return Buffer.from(canonical(value), 'utf8');
}
