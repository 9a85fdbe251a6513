import type { Logger } from 'pino';
import type { Database } from '../../database/database.js';
import { exchange } from '../rebuild.js';
import type { Rebuildable } from '../rebuildable.js';
import { atHeads } from '../replaying.js';
import { fillPrepared } from './fill.js';
import { contentsOf, dropPrepared, findPrepared, isSame, openPrepared, preparedSchema } from './schema.js';

/**
 * Puts into service what this version has prepared, after it has applied what came since. Until the transaction at the end
 * commits, the old tables are there, and the next start continues.
 * @param changed the read models that the store holds in another version
 * @returns the names of those that need not be built any more
 */
export async function adoptPrepared(
  database: Database,
  changed: readonly Rebuildable[],
  program: string,
  log: Pick<Logger, 'info'>,
): Promise<ReadonlySet<string>> {
  const found = await database.read(findPrepared);
  if (!found) return new Set();
  const models = changed.filter(({ projection }) => projection !== null);
  if (models.length === 0) {
    // It may be of the version that will be started next, so a restart of the present one leaves it.
    log.info({ version: found.program }, `prepared tables of a version are kept. ${howToDiscard}`);
    return new Set();
  }
  if (!isSame(found, contentsOf(program, models))) {
    await database.transaction(dropPrepared);
    log.info({ version: found.program }, 'what another version had prepared was thrown away');
    return new Set();
  }
  const tables = await openPrepared(database);
  const names = models.map(({ name }) => name);
  log.info({ models: names }, 'applying what came since these read models were prepared');
  const replay = await fillPrepared(database, models, tables, () => undefined);
  await atHeads(database, replay, async (tx) => {
    await exchange(tx, { live: tables.live, shadow: preparedSchema }, models);
    await dropPrepared(tx);
  });
  return new Set(names);
}

export const howToDiscard = 'If it will not be started, remove them: counterfoil prepare --discard';
