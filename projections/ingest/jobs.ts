import type { EntryOf } from '../../contracts/entries/entry.js';
import type { RecordedOf } from '../../contracts/entries/recorded.js';
import type { Stage } from '../../contracts/memory.js';
import type { Transaction } from '../../src/database/database.js';
import { isLong, movedAtOnceBytes } from '../../src/domain/pipeline.js';
import { memoryRows } from '../memory/rows.js';
import { gather, inOrder, into } from '../projection.js';
import { queuedAgain } from './failed.js';

/**
 * Creates the job of each written memory, unless its texts are lost or it is indexed with its append, and drops the jobs of deleted
 * memories, in the transaction of the append. A memory without a job is ready: see rows.ts.
 */
export const jobsOfMemories = inOrder(
  gather({ 'memory.write': jobRows }, into('jobs')),
  gather({ 'memory.delete': ({ entry }) => [entry.body.memory_id] }, dropJobs),
  gather({ 'memory.moved': ({ entry }) => [entry] }, moveJobs),
);

function jobRows({ entry, deposit, indexable }: RecordedOf<'memory.write'>): object[] {
  if (deposit === null || indexable) return [];
  return [
    {
      job_id: entry.body.job_id,
      memory_id: entry.body.memory_id,
      receipt_id: entry.receipt_id,
      stage: 'queued',
      stage_timestamps: { queued: entry.recorded_at },
      attempts: 0,
      run_after: entry.recorded_at,
      queued_at: entry.recorded_at,
      created_at: entry.recorded_at,
      updated_at: entry.recorded_at,
      workspace_id: entry.workspace_id,
      queued_by: entry.actor.id,
      is_long: isLong(entry.body.content_bytes),
    },
  ];
}

async function dropJobs(tx: Transaction, gone: readonly string[]): Promise<void> {
  await lockJobsOf(tx, gone);
  await tx.query('delete from jobs where memory_id = any((select $1::uuid[])::uuid[])', [gone]);
}

async function moveJobs(tx: Transaction, moves: readonly EntryOf<'memory.moved'>[]): Promise<void> {
  const moved = moves.map(({ body }) => body.memory_id);
  await lockJobsOf(tx, moved);
  // A worker that holds a lease has read the old namespace. Without the lease it cannot finish, and the job starts again.
  await tx.query(
    `update jobs set lease_owner = null, lease_until = null
      where memory_id = any((select $1::uuid[])::uuid[]) and stage not in ('done', 'failed')`,
    [moved],
  );
  const at = moves.at(-1)?.recorded_at ?? null;
  // A long memory is indexed again by its job. The stages of the job keep the times at which they were first entered.
  await tx.query(
    `update jobs j set stage = 'queued', attempts = 0, run_after = $3, queued_at = $3, updated_at = $3 from ${memoryRows} m
      where j.memory_id = any($1::uuid[]) and m.id = j.memory_id and j.stage = 'done' and m.size > $2`,
    [moved, movedAtOnceBytes, at],
  );
  // One that was indexed with its append, and is only long with its metadata, gets its job now.
  const stamp = `to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  await tx.query(
    `insert into jobs (job_id, memory_id, receipt_id, stage, stage_timestamps, run_after, queued_at, created_at, updated_at,
                       workspace_id, is_long)
     select m.id, m.id, m.receipt_id, 'queued', jsonb_build_object('queued', ${stamp}, 'done', ${stamp}), $3, $3, m.created_at, $3,
            m.workspace_id, false
       from ${memoryRows} m
      where m.id = any($1::uuid[]) and m.size > $2 and not exists (select 1 from jobs j where j.memory_id = m.id)`,
    [moved, movedAtOnceBytes, at],
  );
}

/**
 * Makes other transactions that change the jobs of these memories wait until this one ends. A statement that changes many rows
 * locks them in any order, so without this a bulk delete and a worker with the same jobs could deadlock.
 */
async function lockJobsOf(tx: Transaction, memoryIds: readonly string[]): Promise<void> {
  await tx.query('select 1 from jobs where memory_id = any((select $1::uuid[])::uuid[]) order by job_id for update', [
    memoryIds,
  ]);
}

/** Gives back the jobs of a killed process. Only for a store that one process at a time can open: elsewhere other processes may be working on them. */
export async function releaseAllJobs(tx: Transaction): Promise<void> {
  await tx.query('update jobs set lease_owner = null, lease_until = null where lease_owner is not null');
}

/** The stages that a job has entered since it was last written, in order, with their times. The job is in the last one. */
export type Passed = readonly (readonly [Stage, Date])[];

/**
 * Stores the stages of jobs that `owner` still holds, and renews their lease.
 * @returns the jobs that were updated; a job that is missing was deleted or taken over, and `owner` must not finish it
 */
export async function passStages(
  tx: Transaction,
  owner: string,
  jobIds: readonly string[],
  passed: Passed,
  leaseMs: number,
): Promise<Set<string>> {
  const [stage, now] = passed.at(-1) ?? ['extracting', new Date(0)];
  const stamps = Object.fromEntries(passed.map(([name, at]) => [name, at.toISOString()]));
  const rows = await tx.query<{ job_id: string }>(
    // A stage that an earlier, failed attempt has entered keeps its first time.
    `update jobs set stage = $3, updated_at = $4, attempts = case when stage = $3 then attempts else 0 end,
        stage_timestamps = $5::jsonb || stage_timestamps,
        lease_owner = case when $6::float8 is null then null else lease_owner end,
        lease_until = now() + $6::float8 * interval '1 millisecond'
      where job_id in (select job_id from jobs
              where job_id = any($2::uuid[]) and lease_owner = $1 and stage not in ('done', 'failed')
              order by job_id for update)
      returning job_id::text`,
    [owner, jobIds, stage, now.toISOString(), JSON.stringify(stamps), stage === 'done' ? null : leaseMs],
  );
  return new Set(rows.map((row) => row.job_id));
}

/**
 * Locks jobs that `owner` still holds until the transaction ends.
 * @returns for each id whether the job was done before, because a moved memory is made ready a second time
 */
export async function lockJobs(
  tx: Transaction,
  owner: string,
  jobIds: readonly string[],
): Promise<Map<string, boolean>> {
  const rows = await tx.query<{ job_id: string; again: boolean }>(
    `select job_id::text, stage_timestamps ? 'done' as again from jobs
      where job_id = any($2::uuid[]) and lease_owner = $1 and stage not in ('done', 'failed') order by job_id for update`,
    [owner, jobIds],
  );
  return new Map(rows.map((row) => [row.job_id, row.again]));
}

/** Releases a job after a failure. It is tried again at `retryAt`, or fails permanently if that is null. */
export async function failJob(
  tx: Transaction,
  owner: string,
  jobId: string,
  reason: string,
  now: Date,
  retryAt: Date | null,
): Promise<void> {
  await tx.query(
    `update jobs set attempts = attempts + 1, failure_reason = $3, updated_at = $4,
        failed_stage = case when $5::timestamptz is null then stage end,
        stage_timestamps = case when $5::timestamptz is null
          then jsonb_build_object('failed', to_jsonb($6::text)) || stage_timestamps else stage_timestamps end,
        stage = case when $5::timestamptz is null then 'failed' else stage end,
        run_after = coalesce($5::timestamptz, run_after), lease_owner = null, lease_until = null
      where job_id = $2 and lease_owner = $1`,
    [owner, jobId, reason.slice(0, 500), now.toISOString(), retryAt?.toISOString() ?? null, now.toISOString()],
  );
}

/** Queues a job again from the start, if it has not changed since `seenAt`. */
export async function requeueJob(tx: Transaction, jobId: string, seenAt: string, now: Date): Promise<boolean> {
  const rows = await tx.query(
    `update jobs set ${queuedAgain('$3')} where job_id = $1 and updated_at = $2 returning 1`,
    [jobId, seenAt, now.toISOString()],
  );
  return rows.length > 0;
}

/** Locks the table so that no job is queued, finished or dropped until the transaction ends. */
export async function holdJobs(tx: Transaction): Promise<void> {
  await tx.query('lock table jobs in exclusive mode');
}
