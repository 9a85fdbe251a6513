import { limits } from '../../../contracts/limits.js';
import { type CurveKey, type CurveName, curveKey } from './curves.js';
import { fromBase64Url, fromHex } from './encodings.js';
import { readAccount } from './ethereum.js';
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

/** The members that a public key of a curve must have, and the algorithms that it may be meant for. */
interface Form {
  readonly curve: CurveName;
  readonly kty: string;
  readonly coordinates: readonly string[];
  readonly algorithms: readonly string[];
}

const forms: readonly Form[] = [
  { curve: 'Ed25519', kty: 'OKP', coordinates: ['x'], algorithms: ['EdDSA', 'Ed25519'] },
  { curve: 'P-256', kty: 'EC', coordinates: ['x', 'y'], algorithms: ['ES256'] },
  { curve: 'secp256k1', kty: 'EC', coordinates: ['x', 'y'], algorithms: ['ES256K'] },
];

/** Members of private keys, of other types of keys, and of certificates that could hold another key. */
const contradictory = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'n', 'e', 'pub', 'priv', 'x5c', 'x5u'];

/**
 * A public key as JSON Web Key (RFC 7517, 7518, 8037, 8812). Members that say nothing about the key itself, such as
 * `kid`, are ignored, as RFC 7517 demands.
 */
function fromJwk(jwk: Readonly<Record<string, unknown>>): CurveKey | null {
  const form = forms.find(({ curve, kty }) => jwk.crv === curve && jwk.kty === kty);
  if (!form || contradictory.some((name) => Object.hasOwn(jwk, name)) || !isForSignatures(jwk, form)) return null;
  if (form.curve === 'Ed25519' && Object.hasOwn(jwk, 'y')) return null;
  const coordinates = form.coordinates.flatMap((name) => coordinateOf(jwk[name]) ?? []);
  if (coordinates.length < form.coordinates.length) return null;
  const uncompressed = form.kty === 'EC' ? [Uint8Array.of(4)] : [];
  return curveKey(form.curve, Buffer.concat([...uncompressed, ...coordinates]));
}

function isForSignatures(
  { alg, use, key_ops: uses }: Readonly<Record<string, unknown>>,
  { algorithms }: Form,
): boolean {
  if (alg !== undefined && !(typeof alg === 'string' && algorithms.includes(alg))) return false;
  if (use !== undefined && use !== 'sig') return false;
  return uses === undefined || (Array.isArray(uses) && uses.every((one) => one === 'verify'));
}

function coordinateOf(value: unknown): Uint8Array | null {
  const bytes = typeof value === 'string' && value.length === 43 ? fromBase64Url(value) : null;
  return bytes?.length === 32 ? bytes : null;
}
