import { copiedAmong } from '../../../projections/search/copies/copies.js';
import type { World } from '../../base/world.js';
import type { Database } from '../../database/database.js';

/** How long a caller waits for the confirmation of what it has deleted, and how often it looks. */
const patienceMs = 2000;
const lookAgainMs = 25;

/**
 * Resolves with true when Elasticsearch has confirmed that it holds nothing of these deleted memories, or with false after
 * 2 seconds. The deletion is repeated until then. It looks into the database, because another process may do the work.
 */
export type Erased = (memoryIds: readonly string[]) => Promise<boolean>;

export function createErased(database: Database, world: Pick<World, 'sleep'>, wake: () => void): Erased {
  return async (memoryIds) => {
    const until = performance.now() + patienceMs;
    for (;;) {
      const left = await database.read((tx) => copiedAmong(tx, memoryIds)).catch(() => null);
      if (left?.length === 0) return true;
      if (performance.now() > until) return false;
      wake();
      await world.sleep(lookAgainMs);
    }
  };
}
