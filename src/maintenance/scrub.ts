import { tables as searchTables } from '../../projections/search/tables.js';
import type { Database } from '../adapters/database/database.js';
import type { OnProgress } from './aside.js';

/** The tables whose rows reveal what a memory says. */
export const revealing: readonly string[] = ['vault', 'answers', 'memories', 'jobs', 'webhooks', ...searchTables];

/**
 * Deleted rows stay in the files: PostgreSQL marks them dead, and vacuuming frees their place without overwriting it, in
 * tables, indexes and out-of-line storage alike; the write-ahead log holds them a second time. This writes the tables
 * anew from what is live, so that the old files are removed, and ends the log that speaks of them.
 *
 * Readers of a table wait while it is copied (100,000 memories take 10 s in PGlite), so this belongs where nobody waits or
 * where erasure was asked for. On a server it needs the rights to checkpoint and to switch the log, and the log also lives
 * on in archives, replicas and backups, which only its operator can end.
 * @throws the driver's error when the role may not do one of the steps; running it again later is harmless
 */
export async function scrub(database: Database, onProgress: OnProgress): Promise<void> {
  const tables = revealing;
  // Only these are done with at the end: what is erased while this runs may not be covered by it.
  const erased = await erasedReceipts(database);
  for (const [done, table] of tables.entries()) {
    onProgress(done, tables.length);
    await database.maintain(`vacuum (full) ${table}`);
  }
  // Files of the old tables are cut to nothing at once and removed by the first checkpoint. The second one finds a segment
  // that began after all of this, so every earlier one can go; the store must not keep them for reuse (wal_recycle=off).
  await database.maintain('checkpoint');
  await database.maintain('select pg_switch_wal()');
  await database.maintain('checkpoint');
  for (const table of tables) await database.maintain(`analyze ${table}`);
  await database.transaction((tx) => tx.query('delete from erased where receipt_id = any($1::text[])', [erased]));
  onProgress(tables.length, tables.length);
}

/** Receipts whose deposits were destroyed since the last scrub: while there are any, files may hold what was deleted. */
export async function erasedReceipts(database: Database): Promise<string[]> {
  const rows = await database.transaction((tx) => tx.query<{ receipt_id: string }>('select receipt_id from erased'));
  return rows.map((row) => row.receipt_id);
}
