import { createHash } from 'node:crypto';
import type pg from 'pg';
import { type Database, type Row, StoreClosed, StoreUnavailable, type Transaction, type Value } from './database.js';
import { asUnavailable, isStandby, sentenceOf } from './failures.js';

/**
 * Statements that are worth a name, and so are parsed and planned once for each connection. Most of the texts here are
 * constants; those that are put together from filters have endless forms, and beyond this number they get no name.
 */
const maxNamed = 500;

/** A pool of connections as the database that the rest of the code knows. Both drivers end here. */
export function poolDatabase(pool: pg.Pool, closed: () => Promise<void> = async () => undefined): Database {
  const names = new Map<string, string>();
  // An idle connection that breaks is replaced by the pool; without a listener its error would end the process. Each
  // connection has one for good, because it may break in the moment in which it is given out.
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  let closing: Promise<void> | undefined;

  function nameOf(sql: string): string | undefined {
    const known = names.get(sql);
    if (known !== undefined || names.size >= maxNamed) return known;
    const name = createHash('sha256').update(sql).digest('base64url').slice(0, 22);
    names.set(sql, name);
    return name;
  }

  async function run<R extends Row>(
    { client, readsOnly, lost, lose }: Held,
    sql: string,
    params?: readonly Value[],
  ): Promise<R[]> {
    const name = params === undefined ? undefined : nameOf(sql);
    try {
      const { rows } = await client.query<R>({ text: sql, values: [...(params ?? [])], ...(name ? { name } : {}) });
      return rows;
    } catch (error) {
      if (isStandby(error) && !readsOnly) lose();
      throw asUnavailable(error, lost());
    }
  }

  const queryOf: QueryOf = (held) => (sql, params) => run(held, sql, params);

  /** What is under way, which a close waits for: a pool that is ended forgets those who wait for a connection. */
  const underWay = new Set<Promise<unknown>>();
  function track<T>(work: () => Promise<T>): Promise<T> {
    if (closing) return Promise.reject(new StoreClosed('the database is closed'));
    const done = work();
    const settled = done.catch(ignore).finally(() => underWay.delete(settled));
    underWay.add(settled);
    return done;
  }

  return {
    transaction: (work) => track(() => transaction(pool, queryOf, work)),
    read: (work) => track(() => read(pool, queryOf, work)),
    maintain: (sql) => track(() => maintain(pool, sql)),
    close() {
      closing ??= Promise.all(underWay)
        .then(() => pool.end())
        .then(closed);
      return closing;
    },
  };
}

const ignore = () => undefined;

/** A connection that is in use. */
interface Held {
  readonly client: pg.PoolClient;
  readonly readsOnly: boolean;
  /** Whether it is of no more use: it has failed by itself, between statements or under one, or leads to the wrong server. */
  lost(): boolean;
  lose(): void;
  /** Gives it back. What cannot even end its transaction is in an unknown state: destroyed, never handed to the next caller. */
  release(failure?: Error): void;
}

const readOnly = 'begin read only';

/** Takes a connection and opens a transaction, without waiting to hear that it is open: what follows queues behind. */
async function begin(pool: pg.Pool, how: string): Promise<Held> {
  const held = await take(pool, how === readOnly);
  held.client.query(how).catch(ignore);
  return held;
}

async function take(pool: pg.Pool, readsOnly: boolean): Promise<Held> {
  const client = await pool.connect().catch((error: unknown) => {
    throw new StoreUnavailable(sentenceOf(error), { cause: error });
  });
  let isLost = false;
  const lose = () => {
    isLost = true;
  };
  // Between a statement and the next one a broken connection is nobody's rejected promise but an event.
  client.on('error', lose);
  return {
    client,
    readsOnly,
    lost: () => isLost,
    lose,
    release(failure) {
      client.off('error', lose);
      client.release(failure ?? isLost);
    },
  };
}

type QueryOf = (held: Held) => Transaction['query'];

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
  const held = await begin(pool, 'begin');
  const query = queryOf(held);
  const { tx, end } = untilEnded(query);
  try {
    const result = await work(tx);
    end();
    await query('commit');
    held.release();
    return result;
  } catch (error) {
    end();
    held.release(await rollback(held));
    throw error;
  }
}

/** The end of a transaction that only reads changes nothing, so nobody waits for it. */
async function read<T>(pool: pg.Pool, queryOf: QueryOf, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const held = await begin(pool, readOnly);
  const { tx, end } = untilEnded(queryOf(held));
  try {
    return await work(tx);
  } finally {
    end();
    void rollback(held).then((failure) => held.release(failure));
  }
}

/** Not as `pool.query` does it, which destroys a good connection because a statement on it has failed. */
async function maintain(pool: pg.Pool, sql: string): Promise<void> {
  const held = await take(pool, false);
  try {
    await held.client.query(sql);
  } catch (error) {
    throw asUnavailable(error, held.lost());
  } finally {
    held.release();
  }
}

/** @returns the error, if even this fails */
function rollback({ client }: Held): Promise<Error | undefined> {
  return client.query('rollback').then(
    () => undefined,
    (failure: Error) => failure,
  );
}
