import { Refusal } from '../../contracts/errors.js';
import { type FailedJobs, failedJobs, requeueJobs } from '../../projections/ingest/failed.js';
import { requeueJob } from '../../projections/ingest/jobs.js';
import { type JobView, jobById } from '../../projections/ingest/queries.js';
import type { Transaction } from '../database/database.js';
import { type Caller, reaches } from '../domain/caller.js';
import { isRetryable } from '../domain/pipeline.js';

interface RetriedJobs {
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

/** Queues a job again. It writes no entry: nothing about the memory has changed, only who works on it and when. */
export async function retryJob(tx: Transaction, caller: Caller, jobId: string, now: Date): Promise<JobView> {
  const job = await visibleJob(tx, caller, jobId);
  const times = { stage: job.stage, attempts: job.attempts, queuedAt: job.queued_at, updatedAt: job.updated_at };
  // Seen and changed under one condition on updated_at: of two retries at once, the second finds the job queued.
  if (!isRetryable(times, now) || !(await requeueJob(tx, jobId, job.updated_at, now))) {
    throw new Refusal('job_not_retryable');
  }
  return visibleJob(tx, caller, jobId);
}

/** @throws Refusal job_not_found, job_out_of_scope */
export async function visibleJob(tx: Transaction, caller: Caller, jobId: string): Promise<JobView> {
  const job = await jobById(tx, caller.workspaceId, jobId);
  if (!job) throw new Refusal('job_not_found');
  if (!reaches(caller, job.namespace_id)) throw new Refusal('job_out_of_scope');
  return job;
}
