import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Database, Row, Transaction, Value } from './database.js';

/**
 * Statements that are worth a name, and so are parsed and planned once for each connection. Most of the texts here are
 * constants; those that are put together from filters have endless forms, and beyond this number they get no name.
 */
const maxNamed = 500;

/** A pool of connections as the database that the rest of the code knows. Both drivers end here. */
export function poolDatabase(pool: pg.Pool, closed: () => Promise<void> = async () => undefined): Database {
  const names = new Map<string, string>();
  // An idle connection that breaks is replaced by the pool; without a listener its error would end the process.
  pool.on('error', () => undefined);
  let closing: Promise<void> | undefined;

  function nameOf(sql: string): string | undefined {
    const known = names.get(sql);
    if (known !== undefined || names.size >= maxNamed) return known;
    const name = createHash('sha256').update(sql).digest('base64url').slice(0, 22);
    names.set(sql, name);
    return name;
  }

  async function run<R extends Row>(client: pg.PoolClient, sql: string, params?: readonly Value[]): Promise<R[]> {
    const name = params === undefined ? undefined : nameOf(sql);
    const { rows } = await client.query<R>({ text: sql, values: [...(params ?? [])], ...(name ? { name } : {}) });
    return rows;
  }

  const queryOf: QueryOf = (client) => (sql, params) => run(client, sql, params);

  /** What is under way, which a close waits for: a pool that is ended forgets those who wait for a connection. */
  const underWay = new Set<Promise<unknown>>();
  function track<T>(work: () => Promise<T>): Promise<T> {
    if (closing) return Promise.reject(new Error('the database is closed'));
    const done = work();
    const settled = done.catch(ignore).finally(() => underWay.delete(settled));
    underWay.add(settled);
    return done;
  }

  return {
    transaction: (work) => track(() => transaction(pool, queryOf, work)),
    read: (work) => track(() => read(pool, queryOf, work)),
    maintain: (sql) => track(async () => void (await pool.query(sql))),
    close() {
      closing ??= Promise.all(underWay)
        .then(() => pool.end())
        .then(closed);
      return closing;
    },
  };
}

const ignore = () => undefined;

/** Takes a connection and opens a transaction, without waiting to hear that it is open: what follows queues behind. */
async function begin(pool: pg.Pool, how: string): Promise<pg.PoolClient> {
  const client = await pool.connect();
  // Between a statement and the next one a broken connection is nobody's rejected promise but an event.
  client.on('error', ignore);
  client.query(how).catch(ignore);
  return client;
}

function release(client: pg.PoolClient, broken?: Error): void {
  client.off('error', ignore);
  // A connection that cannot even end its transaction is in an unknown state: destroyed, never handed to the next caller.
  client.release(broken);
}

type QueryOf = (client: pg.PoolClient) => Transaction['query'];

/**
 * Of statements asked for at once, the first that fails ends the transaction while code behind the others still goes on.
 * What that code asks for then must not reach the connection: it would run, and be kept, outside the transaction.
 */
function untilEnded(query: Transaction['query']): { tx: Transaction; end(): void } {
  let ended = false;
  const refuse = () => Promise.reject(new Error('the transaction has ended'));
  return {
    tx: { query: (sql, params) => (ended ? refuse() : query(sql, params)) },
    end() {
      ended = true;
    },
  };
}

async function transaction<T>(pool: pg.Pool, queryOf: QueryOf, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await begin(pool, 'begin');
  const { tx, end } = untilEnded(queryOf(client));
  try {
    const result = await work(tx);
    end();
    await client.query('commit');
    release(client);
    return result;
  } catch (error) {
    end();
    release(client, await rollback(client));
    throw error;
  }
}

/** The end of a transaction that only reads changes nothing, so nobody waits for it. */
async function read<T>(pool: pg.Pool, queryOf: QueryOf, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await begin(pool, 'begin read only');
  const { tx, end } = untilEnded(queryOf(client));
  try {
    return await work(tx);
  } finally {
    end();
    void rollback(client).then((broken) => release(client, broken));
  }
}

/** @returns the error, if even this fails */
function rollback(client: pg.PoolClient): Promise<Error | undefined> {
  return client.query('rollback').then(
    () => undefined,
    (failure: Error) => failure,
  );
}
