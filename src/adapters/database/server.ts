import pg from 'pg';
import type { Database } from './database.js';
import { poolDatabase } from './pool.js';
import { parserOf } from './values.js';

/** A PostgreSQL server with pgvector. */
export async function openServer(url: string): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    options: '-c timezone=UTC -c jit=off',
    pipeline: true,
    types: { getTypeParser: parserOf },
  });
  await pool.query('select 1');
  return poolDatabase(pool);
}
