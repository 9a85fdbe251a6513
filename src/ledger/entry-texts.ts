import type { Transaction } from '../database/database.js';
import { entryRows } from './rows.js';

/** Entries of a chain in their order, for readers that need no deposits. */
interface EntryPage {
  /** The number of the last entry. */
  readonly last: number;
  /** A line for each entry: its hash in 64 hex digits, and its canonical text, which has no line break. */
  readonly lines: string;
}

/** A page of this number of entries leaves the embedded database in some 10 ms of its processor time. */
const pageEntries = 1000;
/** A page also ends when it has this size in bytes. */
const pageBytes = 16 * 1024 * 1024;

/** One text costs a third of what a row for each entry costs. octet_length knows the size of bytes without reading them. */
const page = `
  select max(seq) as last, string_agg(encode(hash, 'hex') || convert_from(bytes, 'UTF8'), E'\\n' order by seq) as lines
    from (select seq, hash, bytes,
                 sum(octet_length(bytes)) over (order by seq rows between unbounded preceding and 1 preceding) as before
            from ${entryRows} where chain = $1 and seq > $2 and seq <= $3) e
   where coalesce(before, 0) < ${pageBytes}`;

/**
 * The entries after number `afterSeq`, up to number `upTo`, as many as fit a page.
 * @returns null when there are none
 */
export async function readEntryPage(
  tx: Transaction,
  chain: string,
  afterSeq: number,
  upTo: number,
): Promise<EntryPage | null> {
  const [row] = await tx.query<{ last: number | null; lines: string | null }>(page, [
    chain,
    afterSeq,
    Math.min(upTo, afterSeq + pageEntries),
  ]);
  return row && row.last !== null && row.lines !== null ? { last: row.last, lines: row.lines } : null;
}

const [hashDigits, timeLength] = [64, 24];

export interface EntryLine {
  readonly hash: string;
  readonly text: string;
  readonly kind: string;
  /** RFC 3339 in UTC with milliseconds, so that times compare as texts. */
  readonly recordedAt: string;
}

/**
 * Reads a line without parsing the entry. Behind the body a canonical entry has `kind`, `prev_hash`, `receipt_id`,
 * `recorded_at`, `seq`, `v` and `workspace_id`, whose values are not free texts, so the last `"kind":"` is the entry's own.
 */
export function readEntryLine(line: string): EntryLine {
  const kindAt = line.lastIndexOf('"kind":"') + '"kind":"'.length;
  const timeAt = line.indexOf('"recorded_at":"', kindAt) + '"recorded_at":"'.length;
  return {
    hash: line.slice(0, hashDigits),
    text: line.slice(hashDigits),
    kind: line.slice(kindAt, line.indexOf('"', kindAt)),
    recordedAt: line.slice(timeAt, timeAt + timeLength),
  };
}
