import type { Entry } from '../../../contracts/entries/entry.js';
import { isAttestation } from '../../../contracts/task-receipt.js';
import type { ReceiptView } from '../../../projections/receipts/queries.js';
import { RawJson } from '../../domain/json-text.js';
import { mergeTask } from '../../domain/task/merge.js';

type TaskEntry = Extract<Entry, { kind: 'task' }>;

/** A receipt of any kind. The private text of a task must be genuine: see src/commands/vault.ts. */
export function receiptShape(row: ReceiptView) {
  const entry = entryOf(row);
  return entry.kind === 'task' ? taskShape(entry, row) : { ...shapeOf(entry, row), ...anchoring(row) };
}

/** An entry without its anchors. */
export function entryShape(row: ReceiptView) {
  return shapeOf(entryOf(row), row);
}

/** The entry is read from the bytes that were hashed, so a receipt never shows what the chain does not hold. */
function entryOf({ bytes }: ReceiptView): Entry {
  return JSON.parse(Buffer.from(bytes).toString('utf8'));
}

function shapeOf(entry: Entry, row: ReceiptView) {
  return {
    id: entry.receipt_id,
    receipt_id: entry.receipt_id,
    kind: entry.kind,
    seq: entry.seq,
    hash: Buffer.from(row.hash).toString('hex'),
    prev_hash: entry.prev_hash,
    v: entry.v,
    workspace_id: entry.workspace_id,
    recorded_at: entry.recorded_at,
    actor: entry.actor,
    body: entry.body,
  };
}

function taskShape({ body, ...entry }: TaskEntry, row: ReceiptView) {
  const { task, scope_violations, attestation_checks } = body;
  return {
    id: entry.receipt_id,
    receipt_id: task.receipt_id,
    kind: entry.kind,
    seq: entry.seq,
    hash: Buffer.from(row.hash).toString('hex'),
    prev_hash: entry.prev_hash,
    recorded_at: entry.recorded_at,
    actor: entry.actor,
    task: new RawJson(mergeTask(task, row.content)),
    private_erased: row.erasure_receipt_id !== null,
    scope_violations,
    attestations: (task.attestations ?? []).flatMap((attestation, at) => {
      const { state } = attestation_checks[at] ?? notChecked;
      return isAttestation(attestation) ? [{ ...attestation, state }] : [];
    }),
    ...anchoring(row),
  };
}

const notChecked = { state: 'not_checked' } as const;

function anchoring({ anchor_state, ots }: ReceiptView) {
  return {
    anchor_state,
    anchor_tx: null,
    ots_proof: ots === null ? null : Buffer.from(ots).toString('base64'),
    erc8004_emitted_at: null,
  };
}
