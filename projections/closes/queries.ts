import type { Row, Transaction } from '../../src/database/database.js';

export interface CloseRow extends Row {
  day: string;
  receipt_id: string;
  recorded_ms: number;
  levels: string;
  facts_hash: string;
}

const columns = 'day, receipt_id, recorded_ms, levels, facts_hash';

/** The last day that has closed. */
export async function lastClosedDay(tx: Transaction): Promise<string | null> {
  const [row] = await tx.query<{ day: string | null }>('select max(day) as day from closes');
  return row?.day ?? null;
}

/** The newest closes that were recorded by a moment, newest first. Closes are recorded in the order of their days. */
export function closesRecordedBy(tx: Transaction, ms: number, limit: number): Promise<CloseRow[]> {
  return tx.query<CloseRow>(`select ${columns} from closes where recorded_ms <= $1 order by day desc limit $2`, [
    ms,
    limit,
  ]);
}

/** The newest closes of days before one, newest first. @param day null for all days */
export function closesBefore(tx: Transaction, day: string | null, limit: number): Promise<CloseRow[]> {
  return tx.query<CloseRow>(
    `select ${columns} from closes where $1::text is null or day < $1 order by day desc limit $2`,
    [day, limit],
  );
}

export function closesOf(tx: Transaction, days: readonly string[]): Promise<CloseRow[]> {
  return tx.query<CloseRow>(`select ${columns} from closes where day = any($1::text[])`, [days]);
}

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
