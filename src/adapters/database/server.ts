import pg from 'pg';
import type { Database, Row, Transaction, Value } from './database.js';
import { parsers } from './values.js';

/** A PostgreSQL server with pgvector, through a pool of connections. */
export async function openServer(url: string): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    options: '-c timezone=UTC -c jit=off',
    types: { getTypeParser: (oid, format) => parsers[oid] ?? pg.types.getTypeParser(oid, format) },
  });
  // An idle connection that breaks is replaced by the pool; without a listener its error would end the process.
  pool.on('error', () => undefined);
  await pool.query('select 1');
  let closing: Promise<void> | undefined;
  return {
    transaction: (work) => transaction(pool, work),
    async maintain(sql) {
      await pool.query(sql);
    },
    close() {
      closing ??= pool.end();
      return closing;
    },
  };
}

async function transaction<T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  // Between a statement and the next one a broken connection is nobody's rejected promise but an event.
  const ignore = () => undefined;
  client.on('error', ignore);
  try {
    await client.query('begin');
    const result = await work({
      async query<R extends Row>(sql: string, params: readonly Value[] = []) {
        const { rows } = await client.query<R>(sql, [...params]);
        return rows;
      },
    });
    await client.query('commit');
    client.off('error', ignore);
    client.release();
    return result;
  } catch (error) {
    const broken = await client.query('rollback').then(
      () => undefined,
      (failure: Error) => failure,
    );
    client.off('error', ignore);
    // A connection that cannot even roll back is in an unknown state: destroyed, never handed to the next caller.
    client.release(broken);
    throw error;
  }
}
