import type { Transaction } from '../../src/database/database.js';

/** Deliveries that are counted at most, so that the count is quick. */
const mostCounted = 100_000;

/** The deliveries of all workspaces that were not made yet, and the webhooks whose last delivery has failed. */
export async function deliveriesBacklog(tx: Transaction) {
  const [row] = await tx.query<{ waiting: number; seconds: number | null; failing: number }>(
    `select (select count(*) from (select 1 from deliveries where state = 'pending' limit ${mostCounted}) d) as waiting,
            (select extract(epoch from now() - run_after)::float8 from deliveries
              where state = 'pending' order by run_after limit 1) as seconds,
            (select count(*) from webhook_health where failing_since is not null) as failing`,
  );
  return {
    waiting: row?.waiting ?? 0,
    oldestSeconds: Math.max(0, row?.seconds ?? 0),
    failingWebhooks: row?.failing ?? 0,
  };
}
