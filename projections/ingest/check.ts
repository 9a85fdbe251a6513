import type { Transaction } from '../../src/adapters/database/database.js';
import { memoryRows } from '../memory/rows.js';

/** Finds a memory without a job, which would never become searchable, or a job without a memory, which would be useless work. */
export async function jobFault(tx: Transaction): Promise<string | null> {
  const [memory] = await tx.query<{ id: string; jobs: number }>(
    `select m.id::text, count(j.job_id) as jobs from ${memoryRows} m left join jobs j on j.memory_id = m.id
      group by m.id, m.receipt_id having count(j.job_id) <> 1 or min(j.receipt_id) <> m.receipt_id order by m.id limit 1`,
  );
  if (memory) {
    return memory.jobs === 1
      ? `The job of memory ${memory.id} in the table jobs names another receipt than the table memories.`
      : `The memory ${memory.id} of the table memories has ${memory.jobs} jobs in the table jobs instead of one.`;
  }
  const [job] = await tx.query<{ job_id: string }>(
    `select j.job_id::text from jobs j left join ${memoryRows} m on m.id = j.memory_id
      where m.id is null order by j.job_id limit 1`,
  );
  return job ? `The job ${job.job_id} of the table jobs belongs to no memory.` : null;
}
