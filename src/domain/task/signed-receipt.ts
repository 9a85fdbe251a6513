import type { CurveName } from '../identity/curves.js';

/** A signature of an attestation. Nothing in it is trusted: the key and its algorithm come from the list of known keys. */
export interface ReceiptSignature {
  /** The signer's name for the key; null when the attestation names none. */
  readonly keyName: string | null;
  /** The curves whose keys make signatures of this kind; empty for a kind that the service does not check. */
  readonly curves: readonly CurveName[];
  /** The bytes that were signed. */
  readonly message: Uint8Array;
  readonly bytes: Uint8Array;
  /** Whether the signed payload is the receipt that the attestation belongs to. */
  readonly isOfReceipt: boolean;
}

/** An attestation that claims to be signed, and has a form that no signature can have. */
export class Malformed extends Error {
  override name = 'Malformed';
}

/** The signatures that one attestation may have. Each costs a check with every known key. */
export const maxSignatures = 16;
