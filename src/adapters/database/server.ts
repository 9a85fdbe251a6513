import pg from 'pg';
import { type OpenedDatabase, StoreUnavailable } from './database.js';
import { poolDatabase } from './pool.js';
import { parserOf } from './values.js';

/** How long things may take, in milliseconds; 0 is for as long as it takes. */
interface Patience {
  /** On the server: one statement, one lock, and the time between two statements of a transaction. */
  readonly statement: number;
  readonly lock: number;
  readonly idle: number;
  /** Here: the answer to one statement. Longer than on the server, which tells more when it is the one to give up. */
  readonly answer: number;
}

/** Somebody waits for the answer, and others wait for the locks. */
const prompt: Patience = { statement: 10_000, lock: 5_000, idle: 15_000, answer: 12_000 };
/** A check or a replay of everything takes hours where there is much. What is left to notice is a connection that broke. */
const patient: Patience = { statement: 0, lock: 0, idle: 0, answer: 0 };

/** For a connection to be made, or for one of those there are to become free. */
const connectMs = 5000;
/** For replays and checks, which are done one after the other: one that waits for its turn, and some for the work. */
const patientConnections = 4;
const promptConnections = 10;

/** The advisory lock that processes take in turn when they get a store ready. The number means nothing else. */
const aloneLock = 4_201_702;

/** A PostgreSQL server with pgvector. @throws the driver's error when it cannot be reached */
export async function openServer(url: string): Promise<OpenedDatabase> {
  const [first, second] = [poolOf(url, prompt, promptConnections), poolOf(url, patient, patientConnections)];
  const [forRequests, forMaintenance] = [poolDatabase(first), poolDatabase(second)];
  try {
    await forRequests.read((tx) => tx.query('select 1'));
  } catch (error) {
    await Promise.all([forRequests.close(), forMaintenance.close()]);
    // Whoever starts the service is told what the driver says, by its code.
    throw error instanceof StoreUnavailable ? (error.cause ?? error) : error;
  }
  return {
    ...forMaintenance,
    prompt: forRequests,
    alone: (work) =>
      forMaintenance.transaction(async (tx) => {
        await tx.query('select pg_advisory_xact_lock($1)', [aloneLock]);
        return work();
      }),
    async close() {
      await Promise.all([forRequests.close(), forMaintenance.close()]);
    },
  };
}

/**
 * Every wait has an end: a connection that has gone silent would otherwise be waited for until the end of days, by us and,
 * with the locks of its transaction, by the server. The server is told to look after its side by itself.
 */
function poolOf(url: string, { statement, lock, idle, answer }: Patience, max: number): pg.Pool {
  const settings = {
    timezone: 'UTC',
    jit: 'off',
    statement_timeout: statement,
    lock_timeout: lock,
    idle_in_transaction_session_timeout: idle,
    tcp_keepalives_idle: 10,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 3,
    tcp_user_timeout: 25_000,
  };
  return new pg.Pool({
    connectionString: url,
    max,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    connectionTimeoutMillis: connectMs,
    query_timeout: answer,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
    types: { getTypeParser: parserOf },
  });
}
