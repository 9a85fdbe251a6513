import type { Config } from '../config.js';
import type { MaintenanceCommand, Operation } from '../maintenance/command.js';
import { maintenanceCommands } from '../maintenance/commands.js';
import type { Rebuildable } from '../maintenance/rebuildable.js';
import { recompute } from '../maintenance/recompute/recompute.js';
import { relay } from '../maintenance/relay.js';
import { sharedSecret } from '../start/bootstrap.js';
import type { KeyStore } from '../tlog/signer.js';

/** The commands that the command line may run in the process that holds the store. */
export function wireMaintenance(
  { databaseUrl, dataDir, eventStore }: Config,
  operation: Operation,
  models: readonly Rebuildable[],
  keys: KeyStore,
): ReadonlyMap<string, MaintenanceCommand> {
  const { database, world } = operation;
  // The client takes a while to load, and most services do without it.
  const openLedgerStreams = async () =>
    eventStore ? (await import('../adapters/eventstore/streams.js')).openStreams(eventStore.url) : null;
  return new Map([
    ...maintenanceCommands(operation, models, keys, databaseUrl === undefined ? dataDir : null, openLedgerStreams),
    ['relay', relay(database)],
    ['recompute', recompute({ database, world, tagKey: () => sharedSecret(database, world, 'installation') })],
  ]);
}
