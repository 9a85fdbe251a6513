import type { Entry } from '../../contracts/entries/entry.js';
import type { JobView } from '../../projections/ingest/queries.js';
import type { ReceiptView } from '../../projections/receipts/queries.js';
import { RawJson } from '../domain/json-text.js';
import { isStalled, isTerminal, pollAfterMs } from '../domain/pipeline.js';

export { memoryShape, summaryShape } from '../commands/memory-shape.js';

/** Rows of the read models as the interface names them. */

export function jobShape(row: JobView, now: Date) {
  const times = { stage: row.stage, attempts: row.attempts, queuedAt: row.queued_at, updatedAt: row.updated_at };
  return {
    job_id: row.job_id,
    memory_id: row.memory_id,
    namespace_id: row.namespace_id,
    stage: row.stage,
    stage_timestamps: new RawJson(row.stage_timestamps),
    failed_stage: row.failed_stage,
    failure_reason: row.failure_reason,
    attempts: row.attempts,
    created_at: row.created_at,
    updated_at: row.updated_at,
    stalled: isStalled(times, now),
    terminal: isTerminal(row.stage),
    poll_after_ms: pollAfterMs(times, now),
  };
}

/** A receipt: its entry, and what anchoring has added since. */
export function receiptShape(row: ReceiptView) {
  return {
    ...entryShape(row),
    anchor_state: row.anchor_state,
    anchor_tx: null,
    ots_proof: row.ots === null ? null : Buffer.from(row.ots).toString('base64'),
    erc8004_emitted_at: null,
  };
}

/** The entry is read from the bytes that were hashed, so a receipt never shows what the chain does not hold. */
export function entryShape(row: ReceiptView) {
  const entry: Entry = JSON.parse(Buffer.from(row.bytes).toString('utf8'));
  return {
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
