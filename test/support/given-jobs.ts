import type { Transaction } from '../../src/database/database.js';

/** Gives each memory that was indexed with its write the row of a job that is done, as if a worker had indexed it. */
export async function giveJobs(tx: Transaction): Promise<void> {
  await tx.query(`
    insert into jobs (job_id, memory_id, receipt_id, stage, stage_timestamps, run_after, queued_at, created_at, updated_at,
                      workspace_id, queued_by, is_long)
    select m.id, m.id, m.receipt_id, 'done', jsonb_build_object('queued', at, 'done', at), m.created_at, m.created_at, m.created_at,
           m.created_at, m.workspace_id, convert_from(e.bytes, 'UTF8')::jsonb #>> '{actor,id}', false
      from memories m join entries e on e.chain = m.workspace_id and e.seq = m.seq
     cross join to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') at
     where not exists (select 1 from jobs j where j.memory_id = m.id)`);
}
