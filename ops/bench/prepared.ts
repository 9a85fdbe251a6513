import { packageVersion } from '../../src/base/version.js';
import type { Database } from '../../src/database/database.js';
import { prepareModels } from '../../src/maintenance/prepare-models.js';
import { prepare } from '../../src/maintenance/prepared/prepare.js';
import type { Rebuildable } from '../../src/maintenance/rebuildable.js';

/** An upgrade in which every read model that is built from the ledger has changed, in seconds: at its start, and prepared. */
export async function measureUpgrade(
  database: Database,
  models: readonly Rebuildable[],
): Promise<(readonly [string, number])[]> {
  const silent = { info: () => undefined };
  const change = () =>
    database.transaction((tx) => tx.query(`update projections set version = version - 1 where name <> 'search'`));
  const start = () => prepareModels(database, models, silent);
  const build = () =>
    prepare(database, models, {
      program: packageVersion(),
      onProgress: () => undefined,
      say: () => undefined,
    });
  await change();
  const unprepared = await seconds(start);
  await change();
  return [
    ['models at a start, not prepared', unprepared],
    ['prepare, while another version may serve', await seconds(build)],
    ['models at a start, prepared', await seconds(start)],
  ];
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return (performance.now() - from) / 1000;
}
