import { createPublicKey, verify } from 'node:crypto';
import { fromBase64Url } from './encodings.js';
import { signingAccount } from './ethereum.js';
import { fromStored } from './multikey.js';
import { toSpki } from './spki.js';

const signatureBytes = 64;

/**
 * Whether the holder of a key signed `message`: with Ed25519; with ECDSA over SHA-256, as r ‖ s; or, for an account of
 * Ethereum, under EIP-191. Of the two values s that ECDSA allows, both are accepted, as in JWS: nothing here depends on
 * a signature being the only one.
 * @param publicKey as `readBoundKey` has returned it
 * @param signature base64url
 */
export function isSigned(publicKey: string, message: Uint8Array, signature: string): boolean {
  const bytes = fromBase64Url(signature);
  if (bytes === null) return false;
  if (publicKey.startsWith('eip155:')) return signingAccount(message, bytes) === publicKey;
  if (bytes.length !== signatureBytes) return false;
  const key = fromStored(publicKey);
  const object = createPublicKey({ key: toSpki(key), format: 'der', type: 'spki' });
  const algorithm = key.curve === 'Ed25519' ? null : 'sha256';
  return verify(algorithm, message, { key: object, dsaEncoding: 'ieee-p1363' }, bytes);
}
