import type { Logger } from 'pino';
import { projections, revealingProgress } from '../../projections/all.js';
import { leftDocuments } from '../../projections/search/removal.js';
import type { Database } from '../adapters/database/database.js';
import { dropErased, erasedReceipts, revealingTables, type ToForget, whatToForget } from '../ledger/erased.js';
import { onlyOwner } from '../workers/lease.js';
import { removeAllLeft, removeSurely, removingLease } from '../workers/removing.js';
import type { OnProgress } from './rebuilt-copy.js';

const ofReadModels = projections.flatMap(({ reveals }) => Object.entries(reveals));

/** The tables whose rows reveal what a memory says. */
export const revealing: readonly string[] = [
  ...revealingTables,
  ...revealingProgress,
  ...ofReadModels.map(([table]) => table),
];

/** Those of them that have an index whose keys reveal something: hashes of words, sources and metadata. */
const revealedByIndexes: readonly string[] = ofReadModels
  .filter(([, what]) => what === 'rows and indexes')
  .map(([table]) => table);

/**
 * A B-tree parts its keys by keys that may be those of rows that are gone. An index below this size is rebuilt in less than a
 * tenth of a second; of a larger one some 64-bit hashes of words, sources and metadata may stay until a scrub, and nothing else.
 */
const quicklyMade = 2 * 1024 * 1024;

/**
 * Ends the write-ahead log that speaks of what was deleted. The first checkpoint also writes pages and removes the files of
 * old tables. The second one finds a segment that began after all of this, so every earlier one can go; the store must not
 * keep them for reuse (wal_recycle=off).
 */
const endOfLog: readonly string[] = ['checkpoint', 'select pg_switch_wal()', 'checkpoint'];

/**
 * Deleted rows stay in the files: PostgreSQL marks them dead, and vacuuming frees their place without overwriting it, in
 * tables, indexes and out-of-line storage alike; the write-ahead log holds them a second time. This writes the tables
 * again from what is live, so that the old files are removed, and ends the log that speaks of them.
 *
 * Readers of a table wait while it is copied (100,000 memories take 10 s in PGlite), so this belongs where no caller waits or
 * where erasure was requested. On a server it needs the rights to checkpoint and to switch the log, and the log also lives
 * on in archives, replicas and backups, which only its operator can end.
 * @throws the driver's error when the role may not do one of the steps; running it again later is harmless
 */
export async function scrub(database: Database, onProgress: OnProgress): Promise<void> {
  await removeSurely(database, removingLease(database, onlyOwner));
  const tables = revealing;
  // Only these are done with at the end: what is erased while this runs may not be covered by it.
  const erased = await database.read(erasedReceipts);
  for (const [done, table] of tables.entries()) {
    onProgress(done, tables.length);
    await database.maintain(`vacuum (full) ${table}`);
  }
  for (const step of endOfLog) await database.maintain(step);
  // No page of the new files is marked as seen by a vacuum, so a later one would read them whole.
  for (const table of tables) await database.maintain(`vacuum (analyze, truncate off) ${table}`);
  await database.transaction((tx) => dropErased(tx, erased));
  onProgress(tables.length, tables.length);
}

/**
 * The same in small steps, for the embedded database: it wipes what deleted rows leave in a page when it writes that page,
 * so a vacuum, which looks only at pages that have changed, and a checkpoint are enough. A step takes milliseconds, and
 * `pause` allows other work after each. Killed in between, it is done again from its beginning.
 */
export async function forget(database: Database, pause: () => Promise<void>): Promise<void> {
  await removeAllLeft(database, removingLease(database, onlyOwner));
  const erased = await database.read(erasedReceipts);
  for (const table of revealing) {
    // Reading all of an index is the longest step by far, so it is done only where dead entries of it reveal something.
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

/** The indexes with keys that reveal something, as far as they are small. */
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

/** Whether files may hold what was deleted, and whether in pages that only writing the tables again reaches. */
export const toForget = (database: Database): Promise<ToForget> => database.read(whatToForget);

/** Once after an update from a version that left what was deleted in pages which nothing but this reaches. */
export async function forgetEverywhere(database: Database, log: Logger): Promise<void> {
  if (!(await toForget(database)).everywhere) return;
  log.info('tables are rewritten once, to forget what was deleted under an earlier version');
  await scrub(database, () => undefined);
}

/** How the tidying of the embedded database forgets what was deleted. */
export const forgetting = (database: Database) => ({
  // While the worker still removes something from the index there is no use in beginning: it would have to be done again.
  anythingToForget: async (): Promise<boolean> =>
    (await toForget(database)).any && (await database.read((tx) => leftDocuments(tx))).length === 0,
  forget: (pause: () => Promise<void>): Promise<void> => forget(database, pause),
});
