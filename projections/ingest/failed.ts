import type { Stage } from '../../contracts/memory.js';
import type { Transaction } from '../../src/database/database.js';
import { memoryRows } from '../memory/rows.js';

export interface FailedJobs {
  readonly namespaceIds: readonly string[];
  readonly failedStage: Stage | undefined;
  /** The time at which they failed: from `since` on, and before `until`. */
  readonly since: string | undefined;
  readonly until: string | undefined;
  /** Only jobs with smaller ids. */
  readonly before: string | null;
}

/** Failed jobs of all workspaces that one statement looks at. Their index has no workspace, because there are few. */
const lookedAt = 5000;
const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Failed jobs, newest first, among a limited number of all failed jobs.
 * @returns the last job that was looked at as well; null when none is left behind it
 */
export async function failedJobs(
  tx: Transaction,
  workspaceId: string,
  { namespaceIds, failedStage, since, until, before }: FailedJobs,
  limit: number,
): Promise<{ readonly jobIds: readonly string[]; readonly lookedTo: string | null }> {
  const looked = `select job_id, memory_id, failed_stage, updated_at from jobs
    where stage = 'failed' and job_id < $1::uuid order by job_id desc limit ${lookedAt}`;
  const from = before ?? lastUuid;
  const [last] = await tx.query<{ job_id: string | null; jobs: number }>(
    `select min(job_id::text) as job_id, count(*) as jobs from (${looked}) j`,
    [from],
  );
  const rows = await tx.query<{ job_id: string }>(
    `select j.job_id::text from (${looked}) j
      cross join lateral (select * from ${memoryRows} one where one.id = j.memory_id offset 0) m
      where m.workspace_id = $2 and m.namespace_id = any($3::uuid[]) and ($4::text is null or j.failed_stage = $4)
        and ($5::timestamptz is null or j.updated_at >= $5) and ($6::timestamptz is null or j.updated_at < $6)
      order by j.job_id desc limit $7`,
    [from, workspaceId, namespaceIds, failedStage ?? null, since ?? null, until ?? null, limit],
  );
  return { jobIds: rows.map(({ job_id }) => job_id), lookedTo: last?.jobs === lookedAt ? last.job_id : null };
}

/** Queues jobs again from the start, if they have failed still. @returns their ids */
export async function requeueJobs(tx: Transaction, jobIds: readonly string[], now: Date): Promise<string[]> {
  const rows = await tx.query<{ job_id: string }>(
    `update jobs set ${queuedAgain('$2')} where job_id in (
       select job_id from jobs where job_id = any($1::uuid[]) and stage = 'failed' order by job_id for update)
     returning job_id::text`,
    [jobIds, now.toISOString()],
  );
  return rows.map(({ job_id }) => job_id);
}

/** SQL of the columns of a job that is queued again. The time of its first queueing stays, and that of its memory's being ready. */
export const queuedAgain = (now: string): string => `stage = 'queued', attempts = 0, failed_stage = null,
  failure_reason = null, run_after = ${now}, queued_at = ${now}, updated_at = ${now}, lease_owner = null, lease_until = null,
  stage_timestamps = jsonb_strip_nulls(jsonb_build_object(
    'queued', stage_timestamps -> 'queued', 'done', stage_timestamps -> 'done'))`;
