import { isObject } from '../../base/json-text.js';
import type { CurveName } from '../identity/curves.js';
import { fromBase64Url } from '../identity/encodings.js';
import { Malformed, maxSignatures, type ReceiptSignature } from './signed-receipt.js';

type Members = Readonly<Record<string, unknown>>;

/** Only algorithms with a public key. The curve of the known key decides in the end which one is used. */
const curvesOf: ReadonlyMap<string, readonly CurveName[]> = new Map([
  ['EdDSA', ['Ed25519']],
  ['Ed25519', ['Ed25519']],
  ['ES256', ['P-256']],
  ['ES256K', ['secp256k1']],
]);

/** Of each of these algorithms: ECDSA as r ‖ s, and never as DER. */
const signatureBytes = 64;

/**
 * The signatures of a JSON Web Signature (RFC 7515) over a receipt: compact, or JSON with one signature or several. A
 * payload that is left out (RFC 7515 appendix F) is the receipt; it may be unencoded (RFC 7797). Keys and certificates
 * in the header are not looked at.
 * @param receipt the canonical bytes of the receipt without its attestations
 * @throws Malformed
 */
export function jwsSignatures(jws: unknown, receipt: Uint8Array): readonly ReceiptSignature[] {
  if (typeof jws === 'string') {
    const parts = jws.split('.');
    const [header, payload = '', signature] = parts;
    if (parts.length !== 3) throw new Malformed('a compact JWS has three parts');
    return [signatureOf({ protected: header, signature }, payload, receipt)];
  }
  if (!isObject(jws)) throw new Malformed('a JWS is a string or an object');
  const { payload = '' } = jws;
  if (typeof payload !== 'string') throw new Malformed('the payload of a JWS is a string');
  if (jws.signatures === undefined) return [signatureOf(jws, payload, receipt)];
  if (!Array.isArray(jws.signatures) || jws.signature !== undefined) throw new Malformed('a JWS has one form');
  const { length } = jws.signatures;
  if (length === 0 || length > maxSignatures) throw new Malformed(`a JWS has 1 to ${maxSignatures} signatures`);
  return jws.signatures.map((one: unknown) => signatureOf(one, payload, receipt));
}

/** @param payload empty if it is left out. No receipt is an empty text. */
function signatureOf(one: unknown, payload: string, receipt: Uint8Array): ReceiptSignature {
  if (!isObject(one)) throw new Malformed('a signature of a JWS is an object');
  const { protected: encoded = '', header: open = {}, signature } = one;
  const bytes = typeof signature === 'string' ? fromBase64Url(signature) : null;
  if (typeof encoded !== 'string' || !isObject(open) || bytes === null || bytes.length === 0) {
    throw new Malformed('a JWS has a header and a signature');
  }
  const header = readHeader(encoded);
  const isEncoded = readExtensions(header, open);
  const { alg, kid = null } = { ...open, ...header };
  if (typeof alg !== 'string' || alg === 'none' || (kid !== null && typeof kid !== 'string')) {
    throw new Malformed('a JWS names its algorithm and, as a text, its key');
  }
  const curves = curvesOf.get(alg) ?? [];
  if (curves.length > 0 && bytes.length !== signatureBytes) throw new Malformed('a signature of 64 bytes is missing');
  const signed = payload === '' ? receipt : isEncoded ? fromBase64Url(payload) : Buffer.from(payload, 'utf8');
  if (signed === null) throw new Malformed('the payload of a JWS is base64url');
  const text = isEncoded ? Buffer.from(Buffer.from(signed).toString('base64url'), 'ascii') : signed;
  return {
    keyName: kid,
    curves,
    message: Buffer.concat([Buffer.from(`${encoded}.`, 'ascii'), text]),
    bytes,
    isOfReceipt: Buffer.compare(signed, receipt) === 0,
  };
}

function readHeader(encoded: string): Members {
  const bytes = fromBase64Url(encoded);
  if (bytes === null) throw new Malformed('the header of a JWS is base64url');
  if (bytes.length === 0) return {};
  try {
    const header: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (isObject(header)) return header;
  } catch {
    // It is refused below.
  }
  throw new Malformed('the header of a JWS is a JSON object');
}

/**
 * The only extension that is known is the unencoded payload. A JWS with another critical one must be refused (RFC 7515
 * §4.1.11), because it may change the meaning of the signature.
 * @returns whether the payload is encoded
 */
function readExtensions(header: Members, open: Members): boolean {
  const repeated = Object.keys(open).some((name) => Object.hasOwn(header, name));
  if (repeated || Object.hasOwn(open, 'crit') || Object.hasOwn(open, 'b64')) {
    throw new Malformed('the unprotected header of a JWS changes the protected one');
  }
  const { crit, b64 } = header;
  if (crit === undefined && b64 === undefined) return true;
  const isKnown = Array.isArray(crit) && crit.length === 1 && crit[0] === 'b64' && typeof b64 === 'boolean';
  if (!isKnown) throw new Malformed('a critical extension of the JWS is not known');
  return b64;
}
