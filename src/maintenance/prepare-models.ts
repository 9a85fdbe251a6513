import type { Logger } from 'pino';
import { packageVersion } from '../base/version.js';
import type { Database } from '../database/database.js';
import { heldVersions } from './held-versions.js';
import { adoptPrepared } from './prepared/adopt.js';
import { beginRebuildLater, rebuild } from './rebuild.js';
import type { Rebuildable } from './rebuildable.js';

/**
 * Builds the read models that the store does not hold in this version: all of them in a new store, where that takes no
 * time, and after an update those that have changed, by replaying the ledger, unless they were prepared. No request is answered before it is done. One that takes
 * long is only begun here: a worker fills it while the service answers.
 * Only one process may run it at a time: of two replays of one read model the later one wins and the earlier one fails.
 */
export async function prepareModels(
  database: Database,
  models: readonly Rebuildable[],
  log: Pick<Logger, 'info'>,
): Promise<void> {
  const versions = await heldVersions(database);
  const changed = models.filter(({ name, version }) => versions.get(name) !== version);
  const adopted = await adoptPrepared(database, changed, packageVersion(), log);
  for (const model of changed.filter(({ name }) => !adopted.has(name))) {
    const version = versions.get(model.name);
    if (version !== undefined) {
      const change = { model: model.name, from: version, to: model.version };
      if (model.fillLater) {
        const left = await beginRebuildLater(database, model, model.fillLater);
        log.info({ ...change, left }, 'rebuilding in the background');
        continue;
      }
      log.info(change, 'replaying');
    }
    await rebuild(database, model, { onProgress: () => undefined });
  }
}

/**
 * Makes sure that all read models are built, for commands that use the read models without building them.
 * @throws Error with a sentence when the store holds a read model in another version, or not at all
 */
export async function requirePrepared(database: Database, models: readonly Rebuildable[]): Promise<void> {
  const versions = await heldVersions(database);
  const other = models.find(({ name, version }) => versions.get(name) !== version);
  if (!other) return;
  throw new Error(
    `The store holds "${other.name}" as another version of Counterfoil made it. Start the service once, which builds it again, and repeat the command.`,
  );
}
