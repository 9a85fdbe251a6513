import type { AttestationCheck } from '../../../contracts/entries/task.js';
import { isObject } from '../../base/json-text.js';
import { canonical } from '../../verifier/canonical.js';
import type { CurveName } from '../identity/curves.js';
import { dsseSignatures } from './dsse.js';
import { jwsSignatures } from './jws.js';
import { Malformed, type ReceiptSignature } from './signed-receipt.js';

/** A public key whose attestations a workspace believes. */
export interface KnownKey {
  /** The identity that holds it, or the id of the attestation key. */
  readonly signer: string;
  /** As multikey. */
  readonly publicKey: string;
  readonly curve: CurveName;
  /** The names by which an attestation may refer to it. */
  readonly names: ReadonlySet<string>;
}

/** Whether the key has made this signature over `message`. */
export type VerifySignature = (key: KnownKey, message: Uint8Array, signature: Uint8Array) => Promise<boolean>;

/** How many signatures may still be verified for a request. */
export interface VerificationBudget {
  left: number;
}

const unchecked: AttestationCheck = { state: 'not_checked', signer: null };

/** Whether there is an attestation among these that could be checked. */
export function hasSignatures(attestations: readonly unknown[]): boolean {
  return attestations.some((one) => isObject(one) && (one.type === 'jws' || one.type === 'dsse'));
}

/** RFC 8785 of a receipt without its attestations: the bytes that an attestation signs. */
export function attestedBytes(canonicalReceipt: string): Uint8Array {
  const { attestations: _, ...attested }: Readonly<Record<string, unknown>> = JSON.parse(canonicalReceipt);
  return Buffer.from(canonical(attested), 'utf8');
}

/**
 * Checks one attestation of a receipt.
 * @param receipt as `attestedBytes` returns it
 * @param keys in the order in which they are tried for a signature that names none of them
 * @returns 'failed' for a signature that is malformed, that a known key has not made although it is named, or that a
 *   known key has made over something else
 */
export async function checkAttestation(
  attestation: unknown,
  receipt: Uint8Array,
  keys: readonly KnownKey[],
  verify: VerifySignature,
  budget: VerificationBudget,
): Promise<AttestationCheck | 'failed'> {
  const signatures = readSignatures(attestation, receipt);
  if (signatures === 'malformed') return 'failed';
  let signer: string | null = null;
  for (const signature of signatures) {
    const found = await signerOf(signature, keys, verify, budget);
    if (found === 'failed') return 'failed';
    signer ??= found;
  }
  return signer === null ? unchecked : { state: 'verified', signer };
}

/** No signatures for an attestation of a type, or in a form, that the service does not check. */
function readSignatures(attestation: unknown, receipt: Uint8Array): readonly ReceiptSignature[] | 'malformed' {
  if (!isObject(attestation)) return [];
  const { type, jws, envelope } = attestation;
  try {
    if (type === 'jws' && jws !== undefined) return jwsSignatures(jws, receipt);
    if (type === 'dsse' && envelope !== undefined) return dsseSignatures(envelope, receipt) ?? [];
    return [];
  } catch (error) {
    if (error instanceof Malformed) return 'malformed';
    throw error;
  }
}

/** @returns null when no known key has made the signature */
async function signerOf(
  { keyName, curves, message, bytes, isOfReceipt }: ReceiptSignature,
  keys: readonly KnownKey[],
  verify: VerifySignature,
  budget: VerificationBudget,
): Promise<string | null | 'failed'> {
  const named = keyName === null ? [] : keys.filter(({ names }) => names.has(keyName));
  for (const key of named.length > 0 ? named : keys) {
    if (!curves.includes(key.curve)) continue;
    if (budget.left <= 0) return null;
    budget.left -= 1;
    if (await verify(key, message, bytes)) return isOfReceipt ? key.signer : 'failed';
  }
  return named.length > 0 ? 'failed' : null;
}
