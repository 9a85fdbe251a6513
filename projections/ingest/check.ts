import { namedFaults, type OnFault } from '../../src/base/faults.js';
import type { Database, Row, Transaction } from '../../src/database/database.js';
import { entryRows } from '../../src/ledger/rows.js';
import { memoryRows } from '../memory/rows.js';

/**
 * Finds memories with several jobs or with one of another receipt, and jobs without a memory, which would be useless work. A memory
 * without a job is ready, and the check of the search index looks whether it is there.
 */
export async function jobFaults(tx: Transaction, found: OnFault): Promise<void> {
  const memories = await tx.query<{ id: string; jobs: number }>(
    `select m.id::text, count(j.job_id) as jobs from ${memoryRows} m left join jobs j on j.memory_id = m.id
      group by m.id, m.receipt_id having count(j.job_id) > 1 or min(j.receipt_id) <> m.receipt_id
      order by m.id limit ${namedFaults + 1}`,
  );
  for (const { id, jobs } of memories) {
    const fault =
      jobs === 1
        ? `The job of memory ${id} in the table jobs names another receipt than the table memories.`
        : `The memory ${id} of the table memories has ${jobs} jobs in the table jobs instead of one at most.`;
    found('jobs', fault);
  }
  const orphans = await tx.query<{ job_id: string }>(
    `select j.job_id::text from jobs j left join ${memoryRows} m on m.id = j.memory_id
      where m.id is null order by j.job_id limit ${namedFaults + 1}`,
  );
  for (const { job_id } of orphans) found('jobs', `The job ${job_id} of the table jobs belongs to no memory.`);
}

const pageJobs = 2000;
const beforeAll = '00000000-0000-0000-0000-000000000000';

/**
 * Finds jobs whose columns contradict their entry or each other. No entry says how far a job has come; a stage that was changed
 * contradicts the times at which the job has entered its stages, or the search index, or the job is only done again.
 */
export async function jobColumnFaults(database: Database, found: OnFault): Promise<void> {
  for (let after: string | null = beforeAll; after !== null; ) {
    const from: string = after;
    const rows = await database.read((tx) => jobColumns(tx, from));
    for (const { fault, job_id } of rows) {
      if (fault === null) continue;
      const where = `The column ${fault} of job ${job_id} in the table jobs`;
      found('columns of jobs', `${where} contradicts its entry or its other columns.`);
    }
    after = rows.length < pageJobs ? null : (rows.at(-1)?.job_id ?? null);
  }
}

interface JobColumns extends Row {
  job_id: string;
  fault: string | null;
}

function jobColumns(tx: Transaction, after: string): Promise<JobColumns[]> {
  return tx.query<JobColumns>(
    `select j.job_id::text, case
         when m.id is null then null
         when position(convert_to('"job_id":"' || j.job_id || '"', 'UTF8') in e.bytes) = 0 then 'job_id'
         when j.created_at <> m.created_at then 'created_at'
         when jsonb_typeof(j.stage_timestamps) <> 'object' or not j.stage_timestamps ? j.stage
           or j.stage_timestamps ->> 'queued' is distinct from
              to_char(j.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') then 'stage_timestamps'
         when j.workspace_id <> m.workspace_id then 'workspace_id'
         when j.is_long <> (substring(convert_from(e.bytes, 'UTF8') from '"content_bytes":(\\d+)')::bigint > 4096) then 'is_long'
         when position(convert_to('"id":"' || j.queued_by || '"', 'UTF8') in e.bytes) = 0 then 'queued_by'
         when (j.stage = 'failed') <> (j.failed_stage is not null) then 'failed_stage'
         when j.stage = 'failed' and j.failure_reason is null then 'failure_reason'
         when j.attempts < 0 then 'attempts'
         when j.stage in ('done', 'failed') and j.lease_owner is not null then 'lease_owner'
       end as fault
       from (select * from jobs where job_id > $1::uuid order by job_id limit ${pageJobs}) j
       left join ${memoryRows} m on m.id = j.memory_id
       left join ${entryRows} e on e.chain = m.workspace_id and e.seq = m.seq
      order by j.job_id`,
    [after],
  );
}
