import type { Entry } from '../../../contracts/entries/entry.js';
import { isAttestation } from '../../../contracts/task-receipt.js';
import { readAnchorTx } from '../../../projections/log/rows.js';
import type { ReceiptView } from '../../../projections/receipts/queries.js';
import { RawJson } from '../../base/json-text.js';
import { withPrivateText } from '../../domain/decision.js';
import { mergeTask } from '../../domain/task/private-members.js';

type TaskEntry = Extract<Entry, { kind: 'task' }>;

/** A receipt of any kind. Its private text must be genuine: see src/commands/vault.ts. */
export function receiptShape(row: ReceiptView) {
  const entry = entryOf(row);
  switch (entry.kind) {
    case 'task':
      return taskShape(entry, row);
    case 'decision': {
      const { refs } = entry.body;
      const decision = new RawJson(withPrivateText({ refs }, row.content));
      return { ...shapeOf(entry, row), private_erased: isErased(row), decision, ...anchoring(row) };
    }
    case 'handoff': {
      const { to_agent, refs } = entry.body;
      const handoff = new RawJson(withPrivateText({ to_agent, refs }, row.content));
      return { ...shapeOf(entry, row), private_erased: isErased(row), handoff, ...anchoring(row) };
    }
    default:
      return { ...shapeOf(entry, row), ...anchoring(row) };
  }
}

/** The parts of a receipt whose ids may have names. What a caller has submitted is not among them. */
export function partsWithIds(shape: ReturnType<typeof receiptShape>): object {
  return { actor: shape.actor, ...('body' in shape && { body: shape.body }) };
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
    private_erased: isErased(row),
    scope_violations,
    attestations: (task.attestations ?? []).flatMap((attestation, at) => {
      const { state } = attestation_checks[at] ?? notChecked;
      return isAttestation(attestation) ? [{ ...attestation, state }] : [];
    }),
    ...anchoring(row),
  };
}

const notChecked = { state: 'not_checked' } as const;

const isErased = ({ erasure_receipt_id }: ReceiptView): boolean => erasure_receipt_id !== null;

function anchoring({ anchor_state, anchor_tx, ots, erc8004_emitted_at }: ReceiptView) {
  return {
    anchor_state,
    anchor_tx: readAnchorTx(anchor_tx),
    ots_proof: ots === null ? null : Buffer.from(ots).toString('base64'),
    erc8004_emitted_at,
  };
}
