import type { Transaction } from '../../src/database/database.js';

/** Jobs that are counted at most, so that the count is quick. */
const mostCounted = 100_000;

/** The jobs of all workspaces that are not done. Ids of jobs are in the order in which they were made. */
export async function jobsBacklog(tx: Transaction) {
  const [row] = await tx.query<{ waiting: number; failed: number; seconds: number | null }>(
    `select (select count(*) from (select 1 from jobs where stage not in ('done', 'failed') limit ${mostCounted}) j) as waiting,
            (select count(*) from (select 1 from jobs where stage = 'failed' limit ${mostCounted}) j) as failed,
            (select extract(epoch from now() - queued_at)::float8 from jobs
              where stage not in ('done', 'failed') order by job_id limit 1) as seconds`,
  );
  return { waiting: row?.waiting ?? 0, failed: row?.failed ?? 0, oldestSeconds: Math.max(0, row?.seconds ?? 0) };
}
