import type { Logger } from 'pino';
import { openReplica, type ReplicaReads, withoutReplica } from '../adapters/replica.js';
import { type Database, StoreUnavailable } from '../database/database.js';
import { type Identity, identityOf } from '../database/identity.js';
import type { Replica } from '../database/replica.js';
import { openReplicaPool } from '../database/server.js';
import { serverAddress, shownServer } from '../database/server-address.js';
import type { Config } from '../settings/config.js';
import { WrongSetting } from '../settings/wrong-setting.js';
import type { Engine } from './engines.js';

interface WiredReplica extends ReplicaReads {
  /** None where the settings name no replica. */
  readonly engines: readonly Engine[];
}

/** @throws WrongSetting when the replica refuses the user, or is none of this database */
export async function wireReplica({ replicaUrl }: Config, database: Database, log: Logger): Promise<WiredReplica> {
  if (replicaUrl === undefined) return { ...withoutReplica, engines: [] };
  const pool = openReplicaPool(replicaUrl);
  const own = await database.read(identityOf);
  const replica = openReplica({ pool, database, own, log });
  try {
    await requireReplica(replicaUrl, own, pool, replica);
  } catch (error) {
    await replica.close();
    throw error;
  }
  const { readList, readWithin, health, close } = replica;
  return { readList, readWithin, engines: [{ workers: [], health, close }] };
}

/** One that cannot be reached counts as behind. */
async function requireReplica(
  url: string,
  own: Identity,
  pool: Pick<Database, 'read'>,
  replica: Pick<Replica, 'look'>,
): Promise<void> {
  const { server: place, user, database } = shownServer(serverAddress(url));
  const server = `the server ${place}`;
  try {
    const its = await pool.read(identityOf);
    if (its.system !== own.system) {
      throw new WrongSetting(`DATABASE_REPLICA_URL is wrong: ${server} is no replica of the server of DATABASE_URL.`);
    }
    if (its.name !== own.name) {
      throw new WrongSetting(
        `DATABASE_REPLICA_URL is wrong: it names the database ${its.name}, and DATABASE_URL the database ${own.name}.`,
      );
    }
    await replica.look();
  } catch (error) {
    const code = codeOf(error);
    if (code.startsWith('28')) {
      throw new WrongSetting(`DATABASE_REPLICA_URL is wrong: ${server} refuses the user ${user}.`);
    }
    if (code === '3D000') {
      throw new WrongSetting(`DATABASE_REPLICA_URL is wrong: ${server} has no database ${database}.`);
    }
    if (!(error instanceof StoreUnavailable)) throw error;
    await replica.look().catch(() => undefined);
  }
}

/** The code of PostgreSQL for a failed connection. */
function codeOf(error: unknown): string {
  const cause = error instanceof StoreUnavailable ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}
