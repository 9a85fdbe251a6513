import pg from 'pg';
import { type Database, type OpenedDatabase, StoreUnavailable, type Transaction } from './database.js';
import { requireDurable, requireFit } from './fitness.js';
import { loadOf, poolDatabase } from './pool.js';
import { applicationName } from './processes.js';
import { type ServerAddress, serverAddress } from './server-address.js';
import { type SessionFacts, type SessionLimits, setUpSession } from './session.js';
import { parserOf } from './values.js';

/** Time limits in milliseconds; 0 means no limit. */
interface Timeouts extends SessionLimits {
  /**
   * The limit of the client for the answer to one statement. It is longer than that of the server, whose error says more.
   */
  readonly answer: number;
}

/** For requests: a caller waits for the answer, and other transactions wait for the locks. */
const requestTimeouts: Timeouts = { statement: 10_000, lock: 5_000, idle: 15_000, answer: 12_000 };
/** For maintenance: a check or a replay of a large store takes hours. Only a broken connection is noticed. */
const noTimeouts: Timeouts = { statement: 0, lock: 0, idle: 0, answer: 0 };

/** For reads on a replica: instead of a longer wait the primary answers. */
const replicaTimeouts: Timeouts = { statement: 2_000, lock: 1_000, idle: 15_000, answer: 2_500 };

/** The time limit for making a connection, or until one of the existing connections becomes free. */
const connectMs = 5000;
const replicaConnectMs = 500;
/** For replays and checks, which run one after the other: one connection that waits for the lock, and some for the work. */
const maintenanceConnections = 4;
const requestConnections = 10;
const replicaConnections = 10;

/** The advisory lock of the process that prepares a store. The number has no other meaning. */
const aloneLock = 4_201_702;

/**
 * Opens a store on a PostgreSQL server with pgvector.
 * @throws UnfitDatabase, and the driver's error when the server cannot be reached
 */
export async function openServer(url: string): Promise<OpenedDatabase> {
  await requireFit(connectionTo(url, connectMs), requestTimeouts);
  const [first, second] = [
    poolOf(url, requestTimeouts, requestConnections, requireDurable),
    poolOf(url, noTimeouts, maintenanceConnections, requireDurable),
  ];
  const [forRequests, forMaintenance] = [poolDatabase(first), poolDatabase(second)];
  try {
    await forRequests.read((tx) => tx.query('select 1'));
  } catch (error) {
    await Promise.all([forRequests.close(), forMaintenance.close()]);
    // The start of the service reports the driver's error by its code.
    throw error instanceof StoreUnavailable ? (error.cause ?? error) : error;
  }
  return {
    ...forMaintenance,
    prompt: forRequests,
    serverClock: () => forRequests.read(readClock),
    statement: forRequests.statement,
    pools: () => [loadOf('requests', first, forRequests), loadOf('maintenance', second, forMaintenance)],
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

async function readClock(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ ms: number }>('select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms');
  if (!row) throw new Error('the server gives no time');
  return row.ms;
}

/** A replica keeps nothing that was not committed elsewhere. */
const any = () => undefined;

/** Opens a replica for reads. Nothing is connected yet. */
export function openReplicaPool(url: string): Pick<Database, 'read' | 'close'> {
  return poolDatabase(poolOf(url, replicaTimeouts, replicaConnections, any, replicaConnectMs));
}

/**
 * Every wait has a time limit. Otherwise we would wait forever for a connection that does not answer, and the server
 * would keep the locks of its transaction. The settings of a session make the server enforce its own limits.
 * @param check looks at each new connection, because an address may lead to another server than before
 */
function poolOf(
  url: string,
  limits: Timeouts,
  max: number,
  check: (facts: SessionFacts) => void,
  connectionTimeoutMillis = connectMs,
): pg.Pool {
  return new pg.Pool({
    ...connectionTo(url, connectionTimeoutMillis),
    max,
    query_timeout: limits.answer,
    pipeline: true,
    onConnect: async (client) => check(await setUpSession(client, limits)),
  });
}

/** @throws WrongAddress */
const connectionTo = (url: string, connectionTimeoutMillis: number): pg.ClientConfig => ({
  ...driverForm(serverAddress(url)),
  application_name: applicationName,
  connectionTimeoutMillis,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  types: { getTypeParser: parserOf },
});

/** The driver takes the name of the user of the system, as libpq does, where the address names none. */
const driverForm = ({ keyFile: _, ...address }: ServerAddress): pg.ClientConfig => address;
