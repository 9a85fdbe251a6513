import { isObject } from '../../base/json-text.js';
import { curveNames } from '../identity/curves.js';
import { Malformed, maxSignatures, type ReceiptSignature } from './signed-receipt.js';

/** The type of payloads that are the canonical form of a task receipt without its attestations. */
export const receiptPayloadType = 'application/vnd.counterfoil.task-receipt+json';

/**
 * The signatures of a DSSE envelope over a receipt.
 * @param receipt the canonical bytes of the receipt without its attestations
 * @returns null for an envelope with another type of payload
 * @throws Malformed
 */
export function dsseSignatures(envelope: unknown, receipt: Uint8Array): readonly ReceiptSignature[] | null {
  if (!isObject(envelope)) throw new Malformed('a DSSE envelope is an object');
  const { payloadType, payload, signatures } = envelope;
  if (typeof payloadType !== 'string') throw new Malformed('a DSSE envelope names the type of its payload');
  if (payloadType !== receiptPayloadType) return null;
  const signed = fromAnyBase64(payload);
  if (signed === null) throw new Malformed('the payload of a DSSE envelope is base64');
  if (!Array.isArray(signatures) || signatures.length === 0 || signatures.length > maxSignatures) {
    throw new Malformed(`a DSSE envelope has 1 to ${maxSignatures} signatures`);
  }
  const message = preAuthenticationEncoding(payloadType, signed);
  const isOfReceipt = Buffer.compare(signed, receipt) === 0;
  return signatures.map((one: unknown) => {
    const { sig, keyid = null } = isObject(one) ? one : {};
    const bytes = fromAnyBase64(sig);
    if (bytes === null || bytes.length === 0 || (keyid !== null && typeof keyid !== 'string')) {
      throw new Malformed('a signature of a DSSE envelope is base64, and its keyid is a text');
    }
    return { keyName: keyid, curves: curveNames, message, bytes, isOfReceipt };
  });
}

/** The bytes that DSSE signs: PAE(type, body). */
function preAuthenticationEncoding(type: string, body: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${body.length} `, 'utf8'), body]);
}

/** DSSE allows both alphabets, with or without padding. */
function fromAnyBase64(text: unknown): Uint8Array | null {
  return typeof text === 'string' && /^(?:[A-Za-z0-9+/]*|[A-Za-z0-9_-]*)={0,2}$/.test(text)
    ? Buffer.from(text, 'base64')
    : null;
}
