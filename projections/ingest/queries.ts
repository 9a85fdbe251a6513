import type { Stage } from '../../contracts/memory.js';
import type { Row, Transaction } from '../../src/database/database.js';
import { entryRows } from '../../src/ledger/rows.js';
import { memoryRows } from '../memory/rows.js';
import { stageOfJob } from './rows.js';

export interface JobView extends Row {
  job_id: string;
  memory_id: string;
  namespace_id: string;
  stage: Stage;
  stage_timestamps: string;
  failed_stage: string | null;
  failure_reason: string | null;
  attempts: number;
  queued_at: string;
  created_at: string;
  updated_at: string;
  /** The bytes of the entry of the write. */
  entry: Uint8Array;
}

/** SQL of the stages of a job that was done as soon as its memory was written. */
const atOnce = `(select jsonb_build_object('queued', at, 'done', at)
  from to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') at)`;

const columns = `coalesce(j.job_id, m.id)::text as job_id, m.id::text as memory_id, m.namespace_id::text, ${stageOfJob} as stage,
    coalesce(j.stage_timestamps, ${atOnce}) as stage_timestamps, j.failed_stage, j.failure_reason,
    coalesce(j.attempts, 0) as attempts, coalesce(j.queued_at, m.created_at) as queued_at,
    coalesce(j.created_at, m.created_at) as created_at, coalesce(j.updated_at, m.created_at) as updated_at,
    (select e.bytes from ${entryRows} e where e.chain = m.workspace_id and e.seq = m.seq) as entry`;

export async function jobById(tx: Transaction, workspaceId: string, jobId: string): Promise<JobView | undefined> {
  const [row] = await tx.query<JobView>(
    `select ${columns} from ${memoryRows} m left join jobs j on j.memory_id = m.id
      where m.workspace_id = $1 and m.id = coalesce((select memory_id from jobs where job_id = $2::uuid), $2::uuid)
        and coalesce(j.job_id, m.id) = $2::uuid`,
    [workspaceId, jobId],
  );
  return row;
}

/** The stages of these jobs, also of those that need no row. A job whose memory was deleted is not among them. */
export async function stagesOfJobs(tx: Transaction, jobIds: readonly string[]): Promise<ReadonlyMap<string, Stage>> {
  const rows = await tx.query<{ job_id: string; stage: Stage }>(
    `select job_id::text, stage from jobs where job_id = any((select $1::uuid[])::uuid[])
      union all
     select m.id::text, 'done' from ${memoryRows} m
      where m.id = any((select $1::uuid[])::uuid[]) and not exists (select 1 from jobs j where j.memory_id = m.id)`,
    [jobIds],
  );
  return new Map(rows.map(({ job_id, stage }) => [job_id, stage]));
}

/** A credential, and the least id of a job that is looked for. Ids are UUIDs v7 and sort by time. */
interface Queued {
  readonly workspaceId: string;
  readonly queuedBy: string;
  readonly since: string;
}

/** The jobs that a credential has queued since then, and that have neither ended nor failed even once. */
export async function recentJobs(
  tx: Transaction,
  { workspaceId, queuedBy, since }: Queued,
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ job_id: string }>(
    `select j.job_id::text from jobs j where ${isOpen} and j.job_id > $1::uuid
        and j.queued_by = $2 and j.workspace_id = $3 and j.attempts = 0 limit $4`,
    [since, queuedBy, workspaceId, limit],
  );
  return rows.map(({ job_id }) => job_id);
}

/** A job of a list. */
interface ListedJob extends JobView {
  /** Its place in the order of the list: the id of the memory, or of the job where all that are listed have a row. */
  place: string;
}

/**
 * Jobs of the namespaces, newest first, those behind `before`. Ids are UUIDs v7 and sort by time.
 * @param before the place of a job in the same list
 */
export async function listJobs(
  tx: Transaction,
  workspaceId: string,
  namespaceIds: readonly string[],
  stages: readonly string[] | null,
  before: string | null,
  limit: number,
): Promise<ListedJob[]> {
  const unfinished = unfinishedIn(stages);
  // "offset 0" limits the look-ups to the rows of the page. Without it the planner reads all memories of the workspace first.
  const [from, place] = unfinished
    ? [`jobs j cross join lateral (select * from ${memoryRows} one where one.id = j.memory_id offset 0) m`, 'j.job_id']
    : [`${memoryRows} m left join lateral (select * from jobs where memory_id = m.id offset 0) j on true`, 'm.id'];
  return tx.query<ListedJob>(
    `select ${columns}, ${place}::text as place from ${from}
      where ${unfinished ?? 'true'} and m.workspace_id = $1 and m.namespace_id = any($2::uuid[])
        and ($3::text[] is null or ${stageOfJob} = any($3::text[])) and ${place} < $4::uuid
      order by ${place} desc limit $5`,
    [workspaceId, namespaceIds, stages, before ?? lastUuid, limit],
  );
}

const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** SQL: the job is open, or has failed. These are few and have indexes of their own, which a condition must match exactly. */
const isOpen = `j.stage not in ('done', 'failed')`;
const isFailed = `j.stage = 'failed'`;

/** @returns SQL; null where the stages are those of jobs that are done too */
function unfinishedIn(stages: readonly string[] | null): string | null {
  if (!stages || stages.includes('done')) return null;
  const failed = stages.includes('failed') ? [isFailed] : [];
  const open = stages.some((stage) => stage !== 'failed') ? [isOpen] : [];
  return `(${[...failed, ...open].join(' or ')})`;
}
