import { createHash } from 'node:crypto';
import type pg from 'pg';
import {
  type Database,
  type PoolLoad,
  type Reader,
  type Row,
  StoreClosed,
  StoreUnavailable,
  type Transaction,
  UnfitDatabase,
  type Value,
  type Work,
} from './database.js';
import { asUnavailable, isStandby, sentenceOf } from './failures.js';
import { sendTogether } from './together.js';

/**
 * The largest number of named statements, which are parsed and planned once for each connection. Most statements are
 * constant texts. Those that are built from filters have unlimited forms, so beyond this number statements get no name.
 */
const maxNamed = 500;

/** A database that counts what is asked of it. */
export interface CountedDatabase extends Database {
  /** Runs one statement that is a transaction of its own. */
  readonly statement: Reader['query'];
  work(): Work;
}

/** A pool of connections with the interface of a database. Both drivers use it. */
export function poolDatabase(pool: pg.Pool, closed: () => Promise<void> = async () => undefined): CountedDatabase {
  const names = new Map<string, string>();
  // An idle connection that breaks is replaced by the pool; without a listener its error would end the process. Each
  // connection keeps a listener, because it may break in the moment in which it is taken from the pool.
  pool.on('error', forgetClient);
  pool.on('connect', (client) => client.on('error', ignore));
  let closing: Promise<void> | undefined;
  const asked = { transactions: 0, statements: 0 };

  function nameOf(sql: string): string | undefined {
    const known = names.get(sql);
    if (known !== undefined || names.size >= maxNamed) return known;
    const name = createHash('sha256').update(sql).digest('base64url').slice(0, 22);
    names.set(sql, name);
    return name;
  }

  async function run<R extends Row>(
    { client, readsOnly, lost, lose }: HeldConnection,
    sql: string,
    params?: readonly Value[],
  ): Promise<R[]> {
    const name = params === undefined ? undefined : nameOf(sql);
    asked.statements += 1;
    try {
      const { rows } = await client.query<R>({ text: sql, values: [...(params ?? [])], ...(name ? { name } : {}) });
      return rows;
    } catch (error) {
      if (isStandby(error) && !readsOnly) lose();
      throw asUnavailable(error, lost());
    }
  }

  const queryOf: QueryOf = (held) => (sql, params) => run(held, sql, params);

  /** The work that a close waits for: a pool that is ended drops the callers that wait for a connection. */
  const pending = new Set<Promise<unknown>>();
  function track<T>(work: () => Promise<T>): Promise<T> {
    if (closing) return Promise.reject(new StoreClosed('the database is closed'));
    const done = work();
    const settled = done.catch(ignore).finally(() => pending.delete(settled));
    pending.add(settled);
    return done;
  }

  /** @param around the statements that begin and end the transaction and that `run` does not count */
  const counted = (around: number) => {
    asked.transactions += 1;
    asked.statements += around;
  };

  return {
    transaction: (work) =>
      track(() => {
        counted(1);
        return transaction(pool, queryOf, work);
      }),
    read: (work) =>
      track(() => {
        counted(2);
        return read(pool, queryOf, work);
      }),
    readEach: (work) =>
      track(() => {
        counted(0);
        return readEach(pool, queryOf, work);
      }),
    statement: (sql, params) =>
      track(() => {
        counted(0);
        return statement(pool, queryOf, sql, params);
      }),
    maintain: (sql) =>
      track(() => {
        asked.statements += 1;
        return maintain(pool, sql);
      }),
    work: () => ({ ...asked }),
    close() {
      closing ??= Promise.all(pending)
        .then(() => pool.end())
        .then(closed);
      return closing;
    },
  };
}

const ignore = () => undefined;

/** The pool attaches the connection to its error, which may be that of the store, so others throw and log it. */
function forgetClient(error: Error): void {
  Reflect.deleteProperty(error, 'client');
}

/** @param messages to the thread of the embedded database */
export const loadOf = (
  pool: PoolLoad['pool'],
  { totalCount, idleCount, waitingCount }: pg.Pool,
  { work }: CountedDatabase,
  messages = 0,
): PoolLoad => ({
  pool,
  open: totalCount,
  idle: idleCount,
  waiting: waitingCount,
  ...work(),
  messages,
});

/** A connection that is in use. */
interface HeldConnection {
  readonly client: pg.PoolClient;
  readonly readsOnly: boolean;
  /** Whether it cannot be used any more: it broke, during a statement or between two, or leads to the wrong server. */
  lost(): boolean;
  lose(): void;
  /** Returns it to the pool. If even its transaction cannot be ended, its state is unknown, and it is destroyed. */
  release(failure?: Error): void;
}

const readOnly = 'begin read only';

/** Takes a connection and begins a transaction. It does not wait for the answer, because later statements are queued. */
async function begin(pool: pg.Pool, how: string): Promise<HeldConnection> {
  const held = await take(pool, how === readOnly);
  held.client.query(how).catch(ignore);
  return held;
}

async function take(pool: pg.Pool, readsOnly: boolean): Promise<HeldConnection> {
  const client = await pool.connect().catch((error: unknown) => {
    const sentence = error instanceof UnfitDatabase ? error.message : sentenceOf(error);
    throw new StoreUnavailable(sentence, { cause: error });
  });
  let isLost = false;
  const lose = () => {
    isLost = true;
  };
  // A connection that breaks between two statements rejects no promise. It only emits an event.
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

type QueryOf = (held: HeldConnection) => Transaction['query'];

/**
 * If several statements are sent together, the first that fails ends the transaction, while code that waits for the
 * other statements still runs. Statements of that code must not reach the connection, because they would run outside
 * the transaction and be stored.
 */
function untilEnded(query: Transaction['query']): { tx: Transaction; end(): void; fail(): void } {
  let ended = false;
  const refuse = () => Promise.reject(new Error('the transaction has ended'));
  const { send, ...tx } = sendTogether((sql, params) => (ended ? refuse() : query(sql, params)));
  return {
    tx,
    end() {
      send();
      ended = true;
    },
    fail() {
      ended = true;
      send();
    },
  };
}

async function transaction<T>(pool: pg.Pool, queryOf: QueryOf, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const held = await begin(pool, 'begin');
  const query = queryOf(held);
  const { tx, end, fail } = untilEnded(query);
  try {
    const result = await work(tx);
    end();
    await query('commit');
    held.release();
    return result;
  } catch (error) {
    fail();
    held.release(await rollback(held));
    throw error;
  }
}

/**
 * Does not wait for the end of a read-only transaction, because it changes nothing. The connection is given back at once: what its
 * next user asks for is sent behind the end, in the embedded database in one message with it. If the transaction cannot be ended, the
 * connection is lost for its next user or removed from the pool. After a failure, statements may still run that were sent together
 * with the one that failed, so other callers get another connection.
 */
async function read<T>(pool: pg.Pool, queryOf: QueryOf, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const held = await begin(pool, readOnly);
  const { tx, end, fail } = untilEnded(queryOf(held));
  try {
    const result = await work(tx);
    end();
    void rollback(held).then((failure) => failure && held.client.emit('error', failure));
    held.release();
    return result;
  } catch (error) {
    fail();
    void rollback(held).then((failure) => held.release(failure));
    throw error;
  }
}

/** A statement that fails without a transaction leaves nothing behind, so the connection can be given back at once. */
async function readEach<T>(pool: pg.Pool, queryOf: QueryOf, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const held = await take(pool, true);
  const { tx, end, fail } = untilEnded(queryOf(held));
  try {
    const result = await work({ ...tx, write: refuseWrite });
    end();
    return result;
  } catch (error) {
    fail();
    throw error;
  } finally {
    held.release();
  }
}

/** After a failure nothing of it is stored, and the connection is as before. */
async function statement<R extends Row>(
  pool: pg.Pool,
  queryOf: QueryOf,
  sql: string,
  params: readonly Value[] | undefined,
): Promise<R[]> {
  const held = await take(pool, false);
  try {
    return await queryOf(held)<R>(sql, params);
  } finally {
    held.release();
  }
}

const refuseWrite = () => Promise.reject(new Error('this reads without a transaction, so it writes nothing'));

/** Runs one statement. Unlike `pool.query` it does not destroy a good connection when a statement fails. */
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
function rollback({ client }: HeldConnection): Promise<Error | undefined> {
  return client.query('rollback').then(
    () => undefined,
    (failure: Error) => failure,
  );
}
