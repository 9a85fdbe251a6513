import type { Logger } from 'pino';
import { orLate } from '../base/deadline.js';
import type { Database, Transaction } from '../database/database.js';
import { type Identity, identityOf, isInRecovery } from '../database/identity.js';
import { createReplica, type Replica, type ReplicaFault } from '../database/replica.js';
import { type CopyLag, hasReached, lagBehind, neededNow, progressOf } from '../ledger/reached.js';
import type { EngineHealth } from './gauges/engines.js';

type Work<T> = (tx: Transaction) => Promise<T>;

/** Reads of one chain that a replica may answer. They see everything that was committed before. `work` may run twice. */
export type ReadList = <T>(chain: string, work: Work<T>) => Promise<T>;

/** The same in the middle of a transaction, which answers if the replica does not. */
type ReadWithin = <T>(chain: string, tx: Transaction, work: Work<T>) => Promise<T>;

export interface ReplicaReads {
  /** @param primary answers when the replica does not */
  readList(primary: Pick<Database, 'read'>): ReadList;
  readonly readWithin: ReadWithin;
}

export const withoutReplica: ReplicaReads = {
  readList: (primary) => (_chain, work) => primary.read(work),
  readWithin: (_chain, tx, work) => work(tx),
};

interface ReplicaParts {
  readonly pool: Pick<Database, 'read' | 'close'>;
  /** The primary. */
  readonly database: Pick<Database, 'read'>;
  /** The identity of the primary. */
  readonly own: Identity;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

interface SearchReplica extends ReplicaReads, Pick<Replica, 'look' | 'close'> {
  health(): Promise<EngineHealth>;
}

/** The replica that answers searches and lists. It is not used before its first `look`. */
export function openReplica({ pool, database, own, log }: ReplicaParts): SearchReplica {
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
    look: replica.look,
    close: replica.close,
    health: () => healthOf(replica.fault(), pool, database),
  };
}

/** Of the chain that no workspace has: for a look at the replica that is for no chain in particular. */
const noChain = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const sentences: Readonly<Record<ReplicaFault, string>> = {
  away: 'The replica of the database does not answer. The primary answers all reads.',
  behind: 'The replica of the database is more than half a second behind. The primary answers all reads.',
  alien: 'DATABASE_REPLICA_URL leads to a server that is not a replica now. The primary answers all reads.',
};

/** The longest time that a look at the lag takes. */
const lagMs = 500;

const noLags: ReadonlyMap<string, CopyLag> = new Map();

async function healthOf(
  fault: ReplicaFault | null,
  pool: Pick<Database, 'read'>,
  database: Pick<Database, 'read'>,
): Promise<EngineHealth> {
  const isUp = fault === null || fault === 'behind';
  async function lags(): Promise<ReadonlyMap<string, CopyLag>> {
    const primary = await database.read(progressOf);
    return new Map([['replica', await pool.read((tx) => lagBehind(tx, primary))]]);
  }
  return {
    engine: 'replica',
    isUp,
    problems: fault === null ? [] : [sentences[fault]],
    lags: isUp
      ? await orLate(
          lagMs,
          lags().catch(() => noLags),
          noLags,
        )
      : noLags,
  };
}
