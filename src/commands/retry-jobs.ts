import { type FailedJobs, failedJobs, requeueJobs } from '../../projections/ingest/failed.js';
import type { Transaction } from '../database/database.js';

export interface RetriedJobs {
  /** Newest first. */
  readonly jobIds: readonly string[];
  /** The job behind which the next call continues; null when there are no more. */
  readonly end: string | null;
}

/** Queues failed jobs again. Like the retry of one job it writes no entry. */
export async function retryJobs(
  tx: Transaction,
  workspaceId: string,
  wanted: FailedJobs,
  limit: number,
  now: Date,
): Promise<RetriedJobs> {
  const { jobIds, lookedTo } = await failedJobs(tx, workspaceId, wanted, limit + 1);
  const ids = jobIds.slice(0, limit);
  const queued = new Set(await requeueJobs(tx, ids, now));
  const isCut = jobIds.length > limit;
  return { jobIds: ids.filter((id) => queued.has(id)), end: isCut ? (ids.at(-1) ?? null) : lookedTo };
}
