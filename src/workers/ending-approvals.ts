import { nextEnd } from '../../projections/approvals/due.js';
import { expiredWithTexts } from '../../projections/approvals/queries.js';
import type { World } from '../base/world.js';
import type { Database } from '../database/database.js';
import type { DueJob } from './lookout.js';

/** How many approvals one step ends at most. */
const perStep = 20;

/**
 * Ends expired approvals of bulk deletes, so that their filters and ids are destroyed. Two processes may find the same one:
 * the second writes nothing.
 */
export function endingApprovals(
  database: Pick<Database, 'read'>,
  world: Pick<World, 'now'>,
  end: (workspaceId: string, approvalId: string) => Promise<void>,
): DueJob {
  return {
    name: 'ending-approvals',
    due: nextEnd,
    napMs: 5000,
    firstMs: 5000,
    pauseMs: 60_000,
    async work() {
      const expired = await database.read((tx) => expiredWithTexts(tx, world.now(), perStep));
      for (const { workspace_id, id } of expired) await end(workspace_id, id);
      return expired.length === perStep;
    },
  };
}
