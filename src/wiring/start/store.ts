import { join } from 'node:path';
import type { Logger } from 'pino';
import { releaseAllJobs } from '../../../projections/ingest/jobs.js';
import { logState } from '../../../projections/log/queries.js';
import { releaseAllDeliveries } from '../../../projections/webhooks/deliveries.js';
import { keyStore } from '../../adapters/signing-keys.js';
import type { World } from '../../base/world.js';
import { createPeople, type People } from '../../commands/people.js';
import type { Run } from '../../commands/run.js';
import type { Database, OpenedDatabase } from '../../database/database.js';
import { migrate } from '../../database/migrate.js';
import { openDatabase } from '../../database/open.js';
import { foregroundFirst } from '../../database/priority.js';
import { countingWrites, everNew } from '../../database/revision.js';
import { requireWholeCopy } from '../../database/unfinished-copy.js';
import { placeStore } from '../../maintenance/store-template.js';
import type { Config } from '../../settings/config.js';
import { refusalToSign, requireBegun } from '../../tlog/refusal.js';
import type { KeyStore } from '../../tlog/signer.js';

/** The store that the settings name, with the ledger's tables as this version wants them. */
export async function openStore(config: Config): Promise<OpenedDatabase> {
  const database = await openDatabase(
    config.databaseUrl
      ? { kind: 'server', url: config.databaseUrl }
      : { kind: 'embedded', dataDir: config.dataDir, place: placeStore },
  );
  try {
    await database.alone(async () => {
      await requireWholeCopy(database);
      await migrate(database);
    });
    return database;
  } catch (error) {
    // An open database keeps the process alive after it has said what is wrong.
    await database.close();
    throw error;
  }
}

interface PeopleParts {
  readonly database: Database;
  readonly run: Run;
  readonly world: World;
  readonly log: Pick<Logger, 'warn'>;
}

/** The changes that concern a person in all workspaces. */
export function openPeople({ database, run, world, log }: PeopleParts): People {
  return createPeople({ read: database.read, run, world }, (error) =>
    log.warn({ err: error }, 'a new password has not been copied to all workspaces of its person yet'),
  );
}

/** The signing keys of the transparency log, and what was signed with them last. */
export function openKeys(config: Config, world: World): KeyStore {
  return keyStore(join(config.dataDir, 'keys'), originOf(config), world.now);
}

/** The origin of a log that begins under these settings. */
export const originOf = ({ baseUrl }: Pick<Config, 'baseUrl'>): string => baseUrl.replace(/^https?:\/\//, '');

/** The store, and the number that shows whether anything may have been written to it. */
export const noticingWrites = ({ databaseUrl }: Config, store: OpenedDatabase) =>
  databaseUrl ? { store, revision: everNew() } : countingWrites(store);

/** A PostgreSQL server runs many statements at once. The embedded database runs one, so requests have priority over workers. */
export function prioritiesOf({ databaseUrl }: Config, store: OpenedDatabase) {
  if (databaseUrl) return { foreground: store.prompt, background: store.prompt, slow: store };
  const { foreground, background } = foregroundFirst(store);
  return { foreground, background, slow: background };
}

/**
 * The store is this process's to work on, unless its signing keys cannot be used or are of another log: asked before anything
 * is written, because a leaf of a wrong key could never be taken back.
 * @throws RefusesToSign
 */
export async function claimStore({ databaseUrl }: Config, keys: KeyStore, database: Database): Promise<void> {
  const refusal = await refusalToSign({ database, keys });
  if (refusal?.reason === 'wrong keys' || refusal?.reason === 'keys unusable') throw refusal;
  await requireBegun(database);
  if (!databaseUrl) await releaseLeases(database);
}

/**
 * Several processes may share a database, each with an address of its own at which it listens, and the one that signs first names the
 * log permanently. So a start without a name says which one it would give.
 * @returns null where the log has a name already, or gets the one that was set
 */
export async function warningOfName(
  { databaseUrl, hasBaseUrl, baseUrl }: Config,
  keys: KeyStore,
  database: Database,
): Promise<string | null> {
  if (databaseUrl === undefined || hasBaseUrl || keys.read() !== null) return null;
  if ((await database.read(logState)).size > 0) return null;
  return (
    `BASE_URL is not set: the transparency log of this database takes the permanent name ${new URL(baseUrl).host} from the address at ` +
    'which this process listens, unless another process signs first. Set BASE_URL to the public address of the service, the same for ' +
    'every process on this database, before the first start.'
  );
}

/** The embedded store admits one process, so leases that are held when it starts were held by a process that is gone. */
const releaseLeases = (database: Database): Promise<unknown> =>
  database.transaction((tx) => Promise.all([releaseAllJobs(tx), releaseAllDeliveries(tx)]));
