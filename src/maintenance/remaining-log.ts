import type { Database } from '../database/database.js';

interface Keeping extends Record<string, unknown> {
  recycles: boolean;
  archives: boolean;
  keeps: boolean;
  slots: boolean;
  replicas: boolean;
}

/** Sentences about where a server may still have the write-ahead log that a scrub has ended. Empty for the embedded database. */
export async function remainingLog(database: Database): Promise<string[]> {
  const [row] = await database.read((tx) =>
    tx.query<Keeping>(
      `select current_setting('wal_recycle')::boolean as recycles, current_setting('archive_mode') <> 'off' as archives,
              (select setting::int > 0 from pg_settings where name = 'wal_keep_size') as keeps,
              exists (select from pg_replication_slots) as slots, exists (select from pg_stat_replication) as replicas`,
    ),
  );
  return [
    row?.recycles &&
      'wal_recycle is on, so that old files of the log are kept to be written again. Set wal_recycle=off before the next scrub.',
    row?.archives && 'archive_mode is on. Remove archived files from before this scrub, and make a new base backup.',
    row?.keeps && 'wal_keep_size is not 0, so that old files of the log are kept for replicas.',
    row?.slots && 'A replication slot keeps the log that its replica has not received yet.',
    row?.replicas &&
      'Replicas have their own log. It is removed by their next restartpoints, if wal_recycle is off there too.',
  ].flatMap((sentence) => sentence || []);
}
