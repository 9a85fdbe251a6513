import type { Stage } from '../../contracts/memory.js';
import type { Row, Transaction } from '../../src/adapters/database/database.js';

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
  source: string | null;
  opening: string;
}

const select = `select j.job_id::text, j.memory_id::text, m.namespace_id::text, j.stage, j.stage_timestamps, j.failed_stage,
    j.failure_reason, j.attempts, j.queued_at, j.created_at, j.updated_at, m.source, left(v.content, 200) as opening
  from jobs j join memories m on m.id = j.memory_id join vault v on v.receipt_id = j.receipt_id`;

export async function jobById(tx: Transaction, workspaceId: string, jobId: string): Promise<JobView | undefined> {
  const [row] = await tx.query<JobView>(`${select} where m.workspace_id = $1 and j.job_id = $2`, [workspaceId, jobId]);
  return row;
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
  return tx.query<JobView>(
    `${select} where m.workspace_id = $1 and m.namespace_id = any($2::uuid[])
        and ($3::text[] is null or j.stage = any($3::text[])) and ($4::uuid is null or j.job_id < $4::uuid)
      order by j.job_id desc limit $5`,
    [workspaceId, namespaceIds, stages, before, limit],
  );
}
