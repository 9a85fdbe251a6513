import type { Stage } from '../../contracts/memory.js';
import type { Row, Transaction } from '../../src/database/database.js';
import { entryRows } from '../../src/ledger/rows.js';
import { memoryRows } from '../memory/rows.js';

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

const columns = `j.job_id::text, j.memory_id::text, m.namespace_id::text, j.stage, j.stage_timestamps, j.failed_stage,
    j.failure_reason, j.attempts, j.queued_at, j.created_at, j.updated_at,
    (select e.bytes from ${entryRows} e where e.chain = m.workspace_id and e.seq = m.seq) as entry`;

export async function jobById(tx: Transaction, workspaceId: string, jobId: string): Promise<JobView | undefined> {
  const [row] = await tx.query<JobView>(
    `select ${columns} from jobs j join ${memoryRows} m on m.id = j.memory_id
      where m.workspace_id = $1 and j.job_id = $2`,
    [workspaceId, jobId],
  );
  return row;
}

/** The stages of these jobs. A job whose memory was deleted is not among them. */
export async function stagesOfJobs(tx: Transaction, jobIds: readonly string[]): Promise<ReadonlyMap<string, Stage>> {
  const rows = await tx.query<{ job_id: string; stage: Stage }>(
    'select job_id::text, stage from jobs where job_id = any($1::uuid[])',
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
    `select j.job_id::text from jobs j where ${stageCondition(['queued'])} and j.job_id > $1::uuid
        and j.queued_by = $2 and j.workspace_id = $3 and j.attempts = 0 limit $4`,
    [since, queuedBy, workspaceId, limit],
  );
  return rows.map(({ job_id }) => job_id);
}

/** Jobs of the namespaces, newest first, those before `before` (a job id; UUID v7 sort by time). */
export async function listJobs(
  tx: Transaction,
  workspaceId: string,
  namespaceIds: readonly string[],
  stages: readonly string[] | null,
  before: string | null,
  limit: number,
): Promise<JobView[]> {
  // "offset 0" limits the look-ups to the rows of the page. Without it the planner reads all memories of the workspace first.
  return tx.query<JobView>(
    `select ${columns} from jobs j
      cross join lateral (select * from ${memoryRows} one where one.id = j.memory_id offset 0) m
      where ${stageCondition(stages)} and m.workspace_id = $1 and m.namespace_id = any($2::uuid[])
        and ($3::text[] is null or j.stage = any($3::text[])) and j.job_id < $4::uuid
      order by j.job_id desc limit $5`,
    [workspaceId, namespaceIds, stages, before ?? lastUuid, limit],
  );
}

const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Jobs that are open or failed are few and have indexes of their own, which a condition must match exactly. */
function stageCondition(stages: readonly string[] | null): string {
  if (!stages || stages.includes('done')) return 'true';
  const failed = stages.includes('failed') ? [`j.stage = 'failed'`] : [];
  const open = stages.some((stage) => stage !== 'failed') ? [`j.stage not in ('done', 'failed')`] : [];
  return `(${[...failed, ...open].join(' or ')})`;
}
