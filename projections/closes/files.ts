import type { Row, Transaction } from '../../src/database/database.js';

/** The file of a closed day. */
export interface FileRow extends Row {
  day: string;
  facts_hash: string;
  /** Null when the file is missing. */
  bytes: Uint8Array | null;
}

/** The files of those of these days that have closed. */
export function filesOf(tx: Transaction, days: readonly string[]): Promise<FileRow[]> {
  return tx.query<FileRow>(
    `select c.day, c.facts_hash, f.bytes from closes c left join close_files f on f.day = c.day
      where c.day = any($1::text[])`,
    [days],
  );
}

/** The files of closed days after one, oldest first. */
export function filesAfter(tx: Transaction, day: string, limit: number): Promise<FileRow[]> {
  return tx.query<FileRow>(
    `select c.day, c.facts_hash, f.bytes from closes c left join close_files f on f.day = c.day
      where c.day > $1 order by c.day limit $2`,
    [day, limit],
  );
}

/** Stores a file. The same day always has the same bytes, so a file of a crash before its entry is replaced by itself. */
export async function storeFile(tx: Transaction, day: string, bytes: Uint8Array): Promise<void> {
  await tx.query('insert into close_files values ($1, $2) on conflict (day) do update set bytes = excluded.bytes', [
    day,
    bytes,
  ]);
}

/** The first closed day without a file. */
export async function firstMissingFile(tx: Transaction): Promise<string | null> {
  const [row] = await tx.query<{ day: string }>(
    `select c.day from closes c where not exists (select 1 from close_files f where f.day = c.day) order by c.day limit 1`,
  );
  return row?.day ?? null;
}
