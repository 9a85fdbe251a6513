import type { Logger } from 'pino';
import type { EngineHealth } from '../adapters/metrics.js';
import { orLate } from '../base/deadline.js';
import { type Database, StoreUnavailable, type Transaction } from '../database/database.js';
import { type Identity, identityOf, isInRecovery } from '../database/identity.js';
import { createReplica, type Replica, type ReplicaFault } from '../database/replica.js';
import { openReplicaPool } from '../database/server.js';
import { type CopyLag, hasReached, lagBehind, neededNow, progressOf } from '../ledger/reached.js';
import type { Config } from '../settings/config.js';
import { WrongSetting } from '../settings/wrong-setting.js';
import type { Engine } from './engines.js';

type Work<T> = (tx: Transaction) => Promise<T>;

/** Reads of one chain that a replica may answer. They see everything that was committed before. `work` may run twice. */
export type ReadList = <T>(chain: string, work: Work<T>) => Promise<T>;

/** The same in the middle of a transaction, which answers if the replica does not. */
export type ReadWithin = <T>(chain: string, tx: Transaction, work: Work<T>) => Promise<T>;

export interface ReplicaReads {
  /** @param primary answers when the replica does not */
  readList(primary: Pick<Database, 'read'>): ReadList;
  readonly readWithin: ReadWithin;
  /** None where the settings name no replica. */
  readonly engines: readonly Engine[];
}

const withoutReplica: ReplicaReads = {
  readList: (primary) => (_chain, work) => primary.read(work),
  readWithin: (_chain, tx, work) => work(tx),
  engines: [],
};

/** @throws WrongSetting when the replica refuses the user, or is none of this database */
export async function wireReplica({ replicaUrl }: Config, database: Database, log: Logger): Promise<ReplicaReads> {
  if (replicaUrl === undefined) return withoutReplica;
  const pool = openReplicaPool(replicaUrl);
  const own = await database.read(identityOf);
  const replica = createReplica({
    replica: pool,
    newest: async () => {
      const needed = await database.read((tx) => neededNow(tx, noChain));
      return (tx) => hasReached(tx, needed);
    },
    async isReplica(tx) {
      const its = await identityOf(tx);
      return its.system === own.system && its.name === own.name && (await isInRecovery(tx));
    },
    onChange(fault) {
      if (fault === null) log.info('the replica of the database is used');
      else log.warn({ fault }, sentences[fault]);
    },
  });
  try {
    await requireReplica(replicaUrl, own, pool, replica);
  } catch (error) {
    await replica.close();
    throw error;
  }
  async function attempt<T>(reading: <N>(look: Work<N>) => Promise<N>, chain: string, work: Work<T>) {
    if (replica.fault() !== null) return null;
    const needed = await reading((tx) => neededNow(tx, chain));
    return replica.read((copy) => hasReached(copy, needed), work);
  }
  return {
    readList: (primary) => async (chain, work) => {
      const done = await attempt(primary.read, chain, work);
      return done ? done.found : primary.read(work);
    },
    async readWithin(chain, tx, work) {
      const done = await attempt((look) => look(tx), chain, work);
      return done ? done.found : work(tx);
    },
    engines: [engineOf(replica, pool, database)],
  };
}

/** Of the chain that no workspace has: for a look at the replica that is for no chain in particular. */
const noChain = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** One that cannot be reached counts as behind. */
async function requireReplica(
  url: string,
  own: Identity,
  pool: Pick<Database, 'read'>,
  replica: Replica,
): Promise<void> {
  const { hostname, port, pathname, username } = new URL(url);
  const server = `the server ${hostname}:${port || '5432'}`;
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
      throw new WrongSetting(
        `DATABASE_REPLICA_URL is wrong: ${server} refuses the user ${decodeURIComponent(username)}.`,
      );
    }
    if (code === '3D000') {
      throw new WrongSetting(`DATABASE_REPLICA_URL is wrong: ${server} has no database ${pathname.slice(1)}.`);
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

const sentences: Readonly<Record<ReplicaFault, string>> = {
  away: 'The replica of the database does not answer. The primary answers all reads.',
  behind: 'The replica of the database is more than half a second behind. The primary answers all reads.',
  alien: 'DATABASE_REPLICA_URL leads to a server that is not a replica now. The primary answers all reads.',
};

/** The longest time that a look at the lag takes. */
const lagMs = 500;

function engineOf(replica: Replica, pool: Pick<Database, 'read'>, database: Database): Engine {
  async function lags(): Promise<ReadonlyMap<string, CopyLag>> {
    const primary = await database.read(progressOf);
    return new Map([['replica', await pool.read((tx) => lagBehind(tx, primary))]]);
  }
  const none: ReadonlyMap<string, CopyLag> = new Map();
  return {
    workers: [],
    async health(): Promise<EngineHealth> {
      const fault = replica.fault();
      const isUp = fault === null || fault === 'behind';
      return {
        engine: 'replica',
        isUp,
        problems: fault === null ? [] : [sentences[fault]],
        lags: isUp
          ? await orLate(
              lagMs,
              lags().catch(() => none),
              none,
            )
          : none,
      };
    },
    close: replica.close,
  };
}
