import { collectFaults } from '../../src/base/faults.js';
import type { Database } from '../../src/database/database.js';
import type { Rebuildable } from '../../src/maintenance/rebuildable.js';

/** Everything that the check of one read model reports, a line for each fault; null when it reports nothing. */
export async function faultsOf(model: Rebuildable, database: Database): Promise<string | null> {
  const faults = collectFaults();
  await model.check(database, faults.found);
  return faults.lines();
}
