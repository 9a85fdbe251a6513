import type { Row, Transaction } from '../../src/database/database.js';
import type { Meter } from '../../src/domain/plan.js';

/** The use of a workspace in `month`, as 2026-01, and the memories that it holds. */
export async function meterOf(tx: Transaction, workspaceId: string, month: string): Promise<Meter> {
  const [row] = await tx.query<Row & { actions: number; memories: number }>(
    `select coalesce(sum(actions) filter (where month = $2), 0)::bigint as actions,
            coalesce(sum(memories), 0)::bigint as memories from meter where workspace_id = $1`,
    [workspaceId, month],
  );
  return { month, actions: row?.actions ?? 0, memories: row?.memories ?? 0 };
}
