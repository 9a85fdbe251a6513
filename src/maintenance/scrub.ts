import type { Logger } from 'pino';
import { projections, revealingProgress } from '../../projections/all.js';
import { leftDocuments } from '../../projections/search/removal.js';
import type { Database } from '../database/database.js';
import { dropErased, erasedReceipts, revealingTables, type ToForget, whatToForget } from '../ledger/erased.js';
import { onlyOwner } from '../workers/lease.js';
import { removeAllLeft, removeSurely, removingLease } from '../workers/removing.js';
import { preparedTables } from './prepared/schema.js';
import type { OnProgress } from './rebuilt-copy.js';

const ofReadModels = projections.flatMap(({ reveals }) => Object.entries(reveals));

/** The tables whose rows reveal contents of memories. */
const revealing: readonly string[] = [
  ...revealingTables,
  ...revealingProgress,
  ...ofReadModels.map(([table]) => table),
];

/** The tables that have an index with revealing keys: hashes of words, sources and metadata. */
const revealedByIndexes: readonly string[] = ofReadModels
  .filter(([, what]) => what === 'rows and indexes')
  .map(([table]) => table);

/**
 * The inner pages of a B-tree may keep keys of deleted rows. An index below this size is rebuilt in less than a tenth of a
 * second. In a larger index some 64-bit hashes of words, sources and metadata may stay until a scrub, and nothing else.
 */
const quicklyMade = 2 * 1024 * 1024;

/**
 * Removes the write-ahead log that contains deleted rows. The first checkpoint also writes pages and removes the files of old
 * tables. The second checkpoint finds a segment that began after all of this, so that all earlier segments are removed. The
 * store must not keep them for reuse (wal_recycle=off).
 */
const endOfLog: readonly string[] = ['checkpoint', 'select pg_switch_wal()', 'checkpoint'];

/**
 * Deleted rows stay in the files: PostgreSQL marks them as dead, and vacuum frees their space without overwriting it, in
 * tables, indexes and out-of-line storage alike. The write-ahead log holds them a second time. A scrub writes the tables again
 * from the live rows, so that the old files are removed, and removes the log that contains deleted rows.
 *
 * Readers of a table wait while it is copied (100,000 memories take 10 s in PGlite), so a scrub runs when no caller waits, or
 * when erasure was requested. On a PostgreSQL server it needs the rights to make a checkpoint and to switch the log. The log
 * is also in archives, replicas and backups, which only the operator can remove.
 * @throws the driver's error when the role may not do one of the steps; running it again later is harmless
 */
export async function scrub(database: Database, onProgress: OnProgress): Promise<void> {
  await removeSurely(database, removingLease(database, onlyOwner));
  const tables = [...revealing, ...(await database.read(preparedTables))];
  // Only these are marked as erased from the files at the end, because rows that are deleted during the scrub may survive it.
  const erased = await database.read(erasedReceipts);
  for (const [done, table] of tables.entries()) {
    onProgress(done, tables.length);
    await database.maintain(`vacuum (full) ${table}`);
  }
  for (const step of endOfLog) await database.maintain(step);
  // No page of the new files is marked as visited by a vacuum, so a later vacuum would read all pages.
  for (const table of tables) await database.maintain(`vacuum (analyze, truncate off) ${table}`);
  await database.transaction((tx) => dropErased(tx, erased));
  onProgress(tables.length, tables.length);
}

/**
 * The same in small steps, for the embedded database. It overwrites deleted rows in a page when it writes that page, so a
 * checkpoint and a vacuum, which reads only pages that have changed, are enough. A step takes milliseconds, and `pause` allows
 * other work after each step. If the process is killed in between, the next one starts from the beginning.
 */
export async function forget(database: Database, pause: () => Promise<void>): Promise<void> {
  await removeAllLeft(database, removingLease(database, onlyOwner));
  const erased = await database.read(erasedReceipts);
  for (const table of revealing) {
    // Reading a whole index is by far the longest step, so it is done only for indexes whose dead entries reveal something.
    const indexes = revealedByIndexes.includes(table) ? 'on' : 'off';
    await database.maintain(`vacuum (index_cleanup ${indexes}, truncate off) ${table}`);
    await pause();
  }
  for (const index of await smallIndexes(database)) {
    await database.maintain(`reindex index ${index}`);
    await pause();
  }
  for (const step of endOfLog) {
    await database.maintain(step);
    await pause();
  }
  await database.transaction((tx) => dropErased(tx, erased));
}

/** The small indexes with revealing keys. */
async function smallIndexes(database: Database): Promise<string[]> {
  const rows = await database.read((tx) =>
    tx.query<{ name: string }>(
      `select i.indexrelid::regclass::text as name from pg_index i
        where i.indrelid = any($1::text[]::regclass[]) and pg_relation_size(i.indexrelid) < $2 order by 1`,
      [revealedByIndexes, quicklyMade],
    ),
  );
  return rows.map(({ name }) => name);
}

/** Whether files may hold deleted rows, and whether these may be in pages that only a scrub overwrites. */
export const toForget = (database: Database): Promise<ToForget> => database.read(whatToForget);

/** Scrubs once after an update from a version that left deleted rows in pages that only a scrub overwrites. */
export async function forgetEverywhere(database: Database, log: Logger): Promise<void> {
  if (!(await toForget(database)).everywhere) return;
  log.info('tables are rewritten once, to forget what was deleted under an earlier version');
  await scrub(database, () => undefined);
}

/** How the tidying of the embedded database forgets what was deleted. */
export const forgetting = (database: Database) => ({
  // While the worker still removes documents from the index, starting is useless: everything would have to be repeated.
  anythingToForget: async (): Promise<boolean> =>
    (await toForget(database)).any && (await database.read((tx) => leftDocuments(tx))).length === 0,
  forget: (pause: () => Promise<void>): Promise<void> => forget(database, pause),
});
