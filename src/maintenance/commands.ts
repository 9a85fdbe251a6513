import type { Database } from '../database/database.js';
import { readHome } from '../ledger/eventstore/home.js';
import type { Streams } from '../ledger/eventstore/streams.js';
import { apiKeys, people } from './access.js';
import { backupTo } from './backup.js';
import type { MaintenanceCommand, Operation, Outcome } from './command.js';
import { deletingLost } from './delete-lost.js';
import { type CheckParts, fsck, type OnLabelledProgress } from './fsck.js';
import { requirePrepared } from './prepare-models.js';
import { rebuild } from './rebuild.js';
import type { Rebuildable } from './rebuildable.js';
import { remainingLog } from './remaining-log.js';
import { scrub } from './scrub.js';
import { requireRightsToScrub } from './scrub-rights.js';
import { workspaces } from './workspaces.js';

/** Null when the settings name none. */
type OpenLedgerStreams = () => Promise<Streams | null>;

/**
 * The commands by name, for the process that has the store open: the service, or the command line if no service runs.
 * @param signer the place where the signer of this store's log remembers its last signature
 * @param dataDir where the embedded store is; null where the store is on a server
 * @param openLedgerStreams opens the streams that hold the ledger
 */
export function maintenanceCommands(
  operation: Operation,
  models: readonly Rebuildable[],
  signer: NonNullable<CheckParts['signer']>,
  dataDir: string | null,
  openLedgerStreams: OpenLedgerStreams,
): ReadonlyMap<string, MaintenanceCommand> {
  const { database } = operation;
  const prepared =
    (command: MaintenanceCommand): MaintenanceCommand =>
    async (args, onProgress) => {
      await requirePrepared(database, models);
      return command(args, onProgress);
    };
  const writing = (command: MaintenanceCommand): MaintenanceCommand =>
    prepared(async (args, onProgress) => {
      await operation.requireHome();
      return command(args, onProgress);
    });
  return new Map<string, MaintenanceCommand>([
    ['replay', (args, onProgress) => replay(database, chosen(models, args), onProgress)],
    ['fsck', prepared((_args, onProgress) => check(database, models, { onProgress, signer }, openLedgerStreams))],
    ['delete-lost', writing(deletingLost(operation))],
    ['scrub', prepared((_args, onProgress) => scrubAll(database, onProgress))],
    ['backup', backupTo(database, dataDir)],
    ['keys', writing((args) => apiKeys(operation, args))],
    ['people', writing((args) => people(operation, args))],
    ['workspaces', writing((args) => workspaces(operation, args))],
  ]);
}

function chosen(models: readonly Rebuildable[], names: readonly string[]): readonly Rebuildable[] {
  if (names.length === 0 || names.includes('all')) return models;
  return names.map((name) => {
    const model = models.find((candidate) => candidate.name === name);
    if (model) return model;
    const known = models.map((candidate) => candidate.name).join(', ');
    throw new Error(`There is no read model ${name} that a replay can rebuild. There are: ${known}, all.`);
  });
}

async function replay(
  database: Database,
  models: readonly Rebuildable[],
  onProgress: OnLabelledProgress,
): Promise<Outcome> {
  const lines: string[] = [];
  for (const model of models) {
    let read = 0;
    await rebuild(database, model, {
      onProgress(done, total) {
        read = done;
        onProgress(model.name, done, total);
      },
    });
    lines.push(`${model.name}: rebuilt from ${read} ${model.fromJobs ? 'memories' : 'entries'}`);
  }
  return { ok: true, text: lines.join('\n') };
}

async function check(
  database: Database,
  models: readonly Rebuildable[],
  parts: CheckParts,
  openLedgerStreams: OpenLedgerStreams,
): Promise<Outcome> {
  const home = await database.read(readHome);
  const streams = home && (await openLedgerStreams());
  if (home && !streams) throw new Error('EventStoreDB holds the ledger of this store. Set EVENTSTORE_URL.');
  const ofStreams = home && streams ? { streams: { streams, prefix: home.prefix } } : {};
  const { entries, chains, faults, faultCount } = await fsck(database, models, { ...parts, ...ofStreams }).finally(() =>
    streams?.close(),
  );
  if (faults !== null) return { ok: false, text: faults, faultCount };
  return {
    ok: true,
    text: `No fault in ${entries} entries of ${chains} chains and what was derived from them.`,
    faultCount,
  };
}

async function scrubAll(database: Database, onProgress: OnLabelledProgress): Promise<Outcome> {
  await requireRightsToScrub(database);
  await scrub(database, (done, total) => onProgress('scrub', done, total));
  const copies = await remainingLog(database);
  const files = 'The files of the database hold nothing of what was deleted';
  if (copies.length === 0) return { ok: true, text: `${files}.` };
  const text = [`${files}, but copies of its write-ahead log may:`, ...copies].join('\n');
  return { ok: false, remains: true, text };
}
