import { limits } from '../../../contracts/limits.js';
import { type CurveKey, curveKey } from './curves.js';
import { fromBase64Url, fromHex } from './encodings.js';
import { readAccount } from './ethereum.js';
import { fromJwk } from './jwk.js';
import { fromMultibase, toMultikey } from './multikey.js';
import { fromPem } from './spki.js';

const didKey = 'did:key:';

/**
 * Reads a public key in any of its writings: JWK, PEM, did:key, multibase, or the 32 bytes of an Ed25519 key.
 * @returns the multikey, which is equal for all writings of a key; null for private keys and for everything that is no key
 */
export function readPublicKey(written: unknown): string | null {
  const key = typeof written === 'string' ? fromText(written) : isObject(written) ? fromJwk(written) : null;
  return key && toMultikey(key);
}

/** As `readPublicKey`, or an address of Ethereum, which is written as `eip155:0x…`. */
export function readBoundKey(written: unknown): string | null {
  const account = typeof written === 'string' ? readAccount(written) : null;
  return account ?? readPublicKey(written);
}

function fromText(text: string): CurveKey | null {
  if (text.length > limits.publicKeyCharacters) return null;
  if (text.includes('-----BEGIN')) return fromPem(text);
  if (text.startsWith(didKey)) return fromMultibase(text.slice(didKey.length));
  const raw = text.length === 64 ? fromHex(text) : text.length === 43 ? fromBase64Url(text) : null;
  return raw?.length === 32 ? curveKey('Ed25519', raw) : fromMultibase(text);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
