import { errors, Refusal } from '../../contracts/errors.js';
import { isUuid } from '../base/world.js';
import type { Row, Transaction } from '../database/database.js';
import { countEntries } from '../ledger/entries.js';

/** The kinds of jobs, by the commands that they carry out. */
export const operationKinds = ['fsck', 'replay'] as const;
export type OperationKind = (typeof operationKinds)[number];

export type OperationState = 'queued' | 'running' | 'done' | 'failed' | 'interrupted';

export interface OperationJob {
  readonly job_id: string;
  readonly kind: OperationKind;
  /** The arguments of the command: none means all read models. */
  readonly models: readonly string[];
  readonly state: OperationState;
  readonly requested_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  /** The entries of the ledger when it was started. */
  readonly entries: number | null;
  readonly part: string | null;
  readonly done: number | null;
  readonly total: number | null;
  readonly fault_count: number | null;
  readonly result: string | null;
  readonly failure_reason: string | null;
}

/** A process among those on the same store. */
export interface OperatingProcess {
  readonly owner: string;
  /** Whether the store admits this process only. Every other one is gone then, however short a time ago it renewed a job. */
  readonly isAlone: boolean;
}

/** How far the part of a job is that is in progress. */
export interface Progress {
  readonly part: string;
  readonly done: number;
  readonly total: number;
}

/** How a job has ended. The named faults are some of those that were counted. */
export type OperationEnd =
  | {
      readonly state: 'done';
      readonly result: string | null;
      readonly faultCount: number | null;
      readonly faults: readonly string[];
    }
  | { readonly state: 'failed' | 'interrupted'; readonly reason: string };

/** A process that has not renewed its job for this time counts as gone. */
const leaseMs = 30_000;

/** The ended jobs of a kind that are kept. */
const kept = 20;

export const gone = 'The process that carried it out is gone.';

/** A job whose process is gone is shown as interrupted before anyone has noted that. */
const shown = `job_id::text, kind, models,
  case when ended_at is null and until < now() then 'interrupted' else state end as state, requested_at, started_at,
  case when until < now() then coalesce(ended_at, until) else ended_at end as ended_at, entries, part, done, total,
  fault_count, result, case when ended_at is null and until < now() then '${gone}' else failure_reason end as failure_reason`;

/**
 * Queues a job for the process that looks for jobs next.
 * @throws Refusal operation_running, when another one of the kind has not ended
 */
export async function requestOperation(
  tx: Transaction,
  { id, kind, models }: { readonly id: string; readonly kind: OperationKind; readonly models: readonly string[] },
  process: OperatingProcess,
): Promise<OperationJob> {
  await endAbandoned(tx, process);
  const [job] = await tx.query<OperationJob & Row>(
    `insert into operation_jobs (job_id, kind, models) values ($1, $2, $3)
     on conflict (kind) where ended_at is null do nothing returning ${shown}`,
    [id, kind, models],
  );
  if (!job) {
    const [open] = await tx.query<{ job_id: string }>(
      'select job_id::text from operation_jobs where kind = $1 and ended_at is null',
      [kind],
    );
    throw new Refusal('operation_running', errors.operation_running[1], open ? { job_id: open.job_id } : {});
  }
  await tx.query(
    `delete from operation_jobs where ended_at is not null and job_id in
       (select job_id from operation_jobs where kind = $1 order by requested_at desc, job_id desc offset ${kept})`,
    [kind],
  );
  return job;
}

/** The jobs that are kept, newest first, and the number of entries that the ledger has now. */
export async function operationJobs(
  tx: Transaction,
): Promise<{ readonly jobs: readonly OperationJob[]; readonly entries: number }> {
  const jobs = await tx.query<OperationJob & Row>(
    `select ${shown} from operation_jobs order by requested_at desc, job_id desc`,
  );
  return { jobs, entries: await countEntries(tx) };
}

/** @throws Refusal job_not_found */
export async function operationJob(
  tx: Transaction,
  id: string,
): Promise<OperationJob & { readonly faults: readonly string[] }> {
  const [job] = isUuid(id)
    ? await tx.query<OperationJob & { faults: string[] } & Row>(
        `select ${shown}, faults from operation_jobs where job_id = $1`,
        [id],
      )
    : [];
  if (!job) throw new Refusal('job_not_found');
  return job;
}

/** Whether a job of this kind has not ended. */
export async function isOperationOpen(tx: Transaction, kind: OperationKind): Promise<boolean> {
  return (await tx.query('select 1 from operation_jobs where kind = $1 and ended_at is null', [kind])).length > 0;
}

/** Takes the queued job of a kind. @returns null when there is none */
export async function takeOperation(
  tx: Transaction,
  kind: OperationKind,
  process: OperatingProcess,
): Promise<{ readonly job_id: string; readonly models: readonly string[] } | null> {
  await endAbandoned(tx, process);
  const [job] = await tx.query<{ job_id: string; models: string[] }>(
    `update operation_jobs set state = 'running', started_at = now(), owner = $2, until = ${inTime},
            entries = $3
      where job_id = (select job_id from operation_jobs where kind = $1 and state = 'queued' for update skip locked)
     returning job_id::text, models`,
    [kind, process.owner, await countEntries(tx)],
  );
  return job ?? null;
}

const inTime = `now() + interval '${leaseMs} milliseconds'`;

/** Notes how far a job is. @returns false when it is not this process's any more */
export async function renewOperation(
  tx: Transaction,
  id: string,
  { owner }: OperatingProcess,
  progress: Progress | null,
): Promise<boolean> {
  const { part = null, done = null, total = null } = progress ?? {};
  const rows = await tx.query(
    `update operation_jobs set until = ${inTime}, part = $3, done = $4, total = $5
      where job_id = $1 and owner = $2 and ended_at is null returning 1`,
    [id, owner, part, done, total],
  );
  return rows.length > 0;
}

/** Notes how a job has ended, unless it is not this process's any more. */
export async function endOperation(
  tx: Transaction,
  id: string,
  { owner }: OperatingProcess,
  end: OperationEnd,
): Promise<void> {
  const nothing = { result: null, faultCount: null, faults: [], reason: null };
  const { result, faultCount, faults, reason } = { ...nothing, ...end };
  await tx.query(
    `update operation_jobs set state = $3, ended_at = now(), result = $4, fault_count = $5, faults = $6, failure_reason = $7
      where job_id = $1 and owner = $2 and ended_at is null`,
    [id, owner, end.state, result, faultCount, faults, reason],
  );
}

/** Ends the jobs of processes that are gone, so that others can be started. */
async function endAbandoned(tx: Transaction, { owner, isAlone }: OperatingProcess): Promise<void> {
  await tx.query(
    `update operation_jobs set state = 'interrupted', ended_at = least(until, now()), failure_reason = $3
      where ended_at is null and owner is not null and (until < now() or ($2 and owner <> $1))`,
    [owner, isAlone, gone],
  );
}
