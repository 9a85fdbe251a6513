import type { JobView } from '../../projections/ingest/queries.js';
import { RawJson } from '../base/json-text.js';
import { assumedIn } from '../commands/memory-shape.js';
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
    ...assumedIn(row.entry),
    terminal: isTerminal(row.stage),
    poll_after_ms: pollAfterMs(times, now),
  };
}
