import type { AttestationCheck } from '../../contracts/entries/task.js';
import { Refusal } from '../../contracts/errors.js';
import { limits } from '../../contracts/limits.js';
import { newestProvedIdentities } from '../../projections/agents/queries.js';
import { attestationKeysOf } from '../../projections/attestations/queries.js';
import { identitiesNamed } from '../../projections/registry/queries.js';
import type { SignatureKeys } from '../adapters/signature-keys.js';
import { yieldToOthers } from '../base/steps.js';
import type { Database, Transaction } from '../database/database.js';
import {
  attestedBytes,
  checkAttestation,
  hasSignatures,
  type KnownKey,
  type VerificationBudget,
  type VerifySignature,
} from '../domain/task/attestations.js';
import { refusedFields } from '../domain/task/refused.js';
import type { SubmittedTask } from '../domain/task/submitted.js';
import type { Signers } from './state/attestation-keys.js';

/**
 * Checks the attestations of task receipts with the keys that the workspace knows, beside the main thread.
 * @returns the results for each receipt, in the order of its attestations
 * @throws Refusal invalid_receipt for the first one that fails; rate_limited when too much waits
 */
export type CheckAttestations = (
  workspaceId: string,
  tasks: readonly SubmittedTask[],
) => Promise<readonly (readonly AttestationCheck[])[]>;

/** Signatures that are verified for one request at most. 100 receipts with 16 attestations that name their keys need 1,600. */
const verificationsPerRequest = 4096;

/** Keys that are prepared before other work runs. Each takes 0.1 ms. */
const keysPerSlice = 32;

/** A public key that a workspace knows, and whose it is. */
interface KeyRow {
  readonly signer: string;
  readonly publicKey: string;
  /** Of a linked identity. */
  readonly handle: string | null;
}

interface HeldKey extends KnownKey {
  readonly handle: string | null;
}

/** The keys that a workspace knows, among them those of the identities to which these handles are linked. */
type ReadKnownKeys = (workspaceId: string, handles: readonly string[]) => Promise<readonly KeyRow[]>;

export function createAttestationChecks(readKnownKeys: ReadKnownKeys, keys: SignatureKeys): CheckAttestations {
  return async (workspaceId, tasks) => {
    const signed = tasks.filter(({ task }) => hasSignatures(task.attestations ?? []));
    if (signed.length === 0) return tasks.map(unchecked);
    const handles = [...new Set(signed.map(({ task }) => task.agent_handle))];
    const known = await prepared(keys, await readKnownKeys(workspaceId, handles));
    const verify: VerifySignature = ({ publicKey }, message, signature) =>
      keys.verify(workspaceId, publicKey, message, signature);
    const budget = { left: verificationsPerRequest };
    const results: (readonly AttestationCheck[])[] = [];
    for (const [index, task] of tasks.entries()) {
      results.push(signed.includes(task) ? await checksOf(task, index, known, verify, budget) : unchecked(task));
    }
    return results;
  };
}

/** Attestations whose signer is not known any more count as not checked. */
export function checksByKnown(checks: readonly AttestationCheck[], signers: Signers): readonly AttestationCheck[] {
  return checks.map((check) => (check.signer === null || signers.has(check.signer) ? check : notChecked));
}

/** The signers of these attestations that have been verified. */
export function signersOf(checks: readonly (readonly AttestationCheck[])[]): readonly string[] {
  return [...new Set(checks.flatMap((ofOne) => ofOne.flatMap(({ signer }) => signer ?? [])))];
}

const notChecked: AttestationCheck = { state: 'not_checked', signer: null };

const unchecked = ({ task }: SubmittedTask): readonly AttestationCheck[] =>
  (task.attestations ?? []).map(() => notChecked);

/** @throws Refusal invalid_receipt */
async function checksOf(
  { task, canonical }: SubmittedTask,
  index: number,
  known: readonly HeldKey[],
  verify: VerifySignature,
  budget: VerificationBudget,
): Promise<readonly AttestationCheck[]> {
  // Reading a receipt of 64 KiB again takes some milliseconds.
  await yieldToOthers();
  const receipt = attestedBytes(canonical);
  const own = known.filter(({ handle }) => handle === task.agent_handle);
  const inOrder = [...own, ...known.filter((key) => !own.includes(key))];
  const checks: AttestationCheck[] = [];
  for (const [position, attestation] of (task.attestations ?? []).entries()) {
    const check = await checkAttestation(attestation, receipt, inOrder, verify, budget);
    if (check === 'failed') {
      const message = 'is malformed, or its key has not signed this receipt';
      const {
        code,
        message: text,
        details,
      } = refusedFields('invalid_receipt', index, [{ path: `attestations.${position}`, message }]);
      throw new Refusal(code, text, details);
    }
    checks.push(check);
  }
  return checks;
}

/** Of linked identities the newest ones, and all keys that admins have added. */
export function knownKeysReader(read: Database['read']): ReadKnownKeys {
  return (workspaceId, handles) => read((tx) => keyRows(tx, workspaceId, handles));
}

async function keyRows(tx: Transaction, workspaceId: string, handles: readonly string[]): Promise<KeyRow[]> {
  const [links, added] = await Promise.all([
    newestProvedIdentities(tx, workspaceId, handles, limits.attestationKeys),
    attestationKeysOf(tx, workspaceId, null, limits.attestationKeys),
  ]);
  const bound = new Map(links.map(({ agent_id, handle }) => [agent_id, handle]));
  const identities = links.length === 0 ? [] : await identitiesNamed(tx, [...bound.keys()]);
  return [
    ...identities.map(({ agent_id: signer, public_key: publicKey }) => ({
      signer,
      publicKey,
      handle: bound.get(signer) ?? null,
    })),
    ...added.map(({ id: signer, public_key: publicKey }) => ({ signer, publicKey, handle: null })),
  ];
}

/** Addresses of Ethereum are no keys, and sign no attestations. */
async function prepared(keys: SignatureKeys, rows: readonly KeyRow[]): Promise<HeldKey[]> {
  const known: HeldKey[] = [];
  for (const [at, row] of rows.entries()) {
    if (at % keysPerSlice === keysPerSlice - 1) await yieldToOthers();
    const key = keys.read(row.publicKey);
    if (key) known.push({ ...row, curve: key.curve, names: namesOf(row, key.thumbprint) });
  }
  return known;
}

function namesOf({ signer, publicKey }: KeyRow, thumbprint: string): ReadonlySet<string> {
  const did = `did:key:${publicKey}`;
  const uri = `urn:ietf:params:oauth:jwk-thumbprint:sha-256:${thumbprint}`;
  return new Set([signer, publicKey, did, `${did}#${publicKey}`, thumbprint, uri]);
}
