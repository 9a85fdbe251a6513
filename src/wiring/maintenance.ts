import { openEmbedder } from '../adapters/embeddings/open.js';
import { witnessClient } from '../adapters/witness.js';
import { recordInLog } from '../commands/record-in-log.js';
import { acceptClock } from '../maintenance/accept-clock.js';
import type { MaintenanceCommand, Operation } from '../maintenance/command.js';
import { maintenanceCommands } from '../maintenance/commands.js';
import type { Rebuildable } from '../maintenance/rebuildable.js';
import { recompute } from '../maintenance/recompute/recompute.js';
import { relay } from '../maintenance/relay.js';
import type { OpenSearchEngine } from '../maintenance/search-engine.js';
import { takingOver } from '../maintenance/take-over.js';
import type { Config } from '../settings/config.js';
import { signingParts } from '../tlog/log.js';
import type { KeyStore } from '../tlog/signer.js';
import { openSecrets } from './start/secrets.js';

/** The commands that the command line may run in the process that holds the store. */
export function wireMaintenance(
  config: Config,
  operation: Operation,
  models: readonly Rebuildable[],
  keys: KeyStore,
): ReadonlyMap<string, MaintenanceCommand> {
  const { databaseUrl, dataDir, eventStore } = config;
  const { database, world } = operation;
  // The clients of engines take a while to load, and most services do without them.
  const openLedgerStreams = async () =>
    eventStore ? (await import('../adapters/eventstore/streams.js')).openStreams(eventStore.url) : null;
  const ownDirectory = databaseUrl === undefined ? dataDir : null;
  const commands = maintenanceCommands(operation, models, keys, ownDirectory, openLedgerStreams);
  const engine = searchEngineOf(config, operation);
  const searchEngine = () => import('../maintenance/search-engine.js');
  const rebuildEngine: MaintenanceCommand = async (...given) =>
    (await searchEngine()).rebuildSearchEngine(engine)(...given);
  const scrubEngine: MaintenanceCommand = async (...given) =>
    (await searchEngine()).scrubSearchEngine(engine)(...given);
  const signing = signingParts({ database, record: recordInLog(operation.run, world), keys });
  return new Map([
    ...commands,
    ['replay', withOption(commands.get('replay'), 'elasticsearch', rebuildEngine)],
    ['scrub', withOption(commands.get('scrub'), '--search', scrubEngine)],
    ['relay', relay(database)],
    ['accept-clock', acceptClock(database, world)],
    ['take-over', takingOver({ database, witnesses: config.witnesses.map((one) => witnessClient(one)), signing })],
    [
      'recompute',
      recompute({ database, world, tagKey: async () => (await openSecrets(database, world))('installation') }),
    ],
  ]);
}

/** A command that does something else when it is given this argument. */
const withOption =
  (command: MaintenanceCommand | undefined, option: string, other: MaintenanceCommand): MaintenanceCommand =>
  async (args, onProgress) => {
    const chosen = args.includes(option) ? other : command;
    if (!chosen) throw new Error('There is no such command.');
    return chosen(args, onProgress);
  };

const silent = () => undefined;

/** The workers of a service have an owner of their own, and work at the same time. */
function searchEngineOf(
  { elasticsearch, embeddings }: Config,
  { database, ledger, world }: Operation,
): OpenSearchEngine {
  return async () => {
    if (!elasticsearch) throw new Error('ELASTICSEARCH_URL is not set: there is no index outside of the database.');
    const log = { info: silent, warn: silent, error: silent };
    const { model } = openEmbedder(embeddings);
    const { openElasticsearch } = await import('./elasticsearch.js');
    const secret = await openSecrets(database, world);
    return openElasticsearch(elasticsearch, { database, secret, ledger, world, log, model, owner: world.nonce() });
  };
}
