import type { StoredAnswer } from '../../../contracts/entries/recorded.js';
import type { Transaction } from '../../database/database.js';
import { entryHash, type Head, readEntry } from '../chain.js';
import { noteErased } from '../erased.js';
import { type Commit, linkedOf } from '../ledger.js';

/** An append that was staged and is not applied yet. */
export interface PendingAppend {
  readonly chain: string;
  readonly expectedSeq: number;
  readonly lastSeq: number;
  /** Stands for all entries of the append, because each points to the one before it. */
  readonly lastHash: string;
  readonly commits: readonly Commit[];
}

interface StoredCommit {
  /** The canonical texts. */
  readonly entries: readonly string[];
  readonly deposits: readonly { receiptId: string; salt: string; texts: Record<string, string> }[];
  readonly answer: StoredAnswer | null;
}

/** The place and the hash of the last entry. @throws when there is none */
export function endOf(commits: readonly Commit[]): Head {
  const last = linkedOf(commits).at(-1);
  if (!last) throw new Error('an append without entries has no end');
  return { seq: last.entry.seq, hash: last.hash, recordedAt: last.entry.recorded_at };
}

/** The state of the tables for an append, before it is staged. */
interface Place {
  readonly settledMs: number;
  readonly headSeq: number;
  readonly headHash: string;
  /** Whether its last entry is in the tables. */
  readonly isApplied: boolean;
  readonly isPending: boolean;
  /** The reason why the chain takes no appends; null when it does. */
  readonly halted: string | null;
}

export async function placeOf(tx: Transaction, chain: string, end: Head): Promise<Place> {
  const [row] = await tx.query<{
    settled_ms: number;
    head_seq: number;
    head_hash: string;
    is_applied: boolean;
    is_pending: boolean;
    halted: string | null;
  }>(
    `select coalesce((select ms from settled_time), 0) as settled_ms, head_seq, encode(head_hash, 'hex') as head_hash,
            exists (select 1 from entries where chain = $1 and seq = $2 and hash = decode($3, 'hex')) as is_applied,
            exists (select 1 from pending_appends where chain = $1 and last_hash = decode($3, 'hex')) as is_pending,
            (select reason from halted_chains where chain = $1) as halted
       from chains where chain = $1`,
    [chain, end.seq, end.hash],
  );
  if (!row) throw new Error(`there is no chain ${chain}`);
  return {
    settledMs: row.settled_ms,
    headSeq: row.head_seq,
    headHash: row.head_hash,
    isApplied: row.is_applied,
    isPending: row.is_pending,
    halted: row.halted,
  };
}

/** Stages an append. Doing it again changes nothing. */
export async function stage(tx: Transaction, chain: string, expected: Head, commits: readonly Commit[]): Promise<void> {
  const end = endOf(commits);
  const recordedMs = Date.parse(linkedOf(commits)[0]?.entry.recorded_at ?? '');
  await tx.query(
    `insert into pending_appends values ($1, decode($2, 'hex'), $3, $4, $5, now(), $6) on conflict do nothing`,
    [chain, end.hash, expected.seq, end.seq, recordedMs, stored(commits)],
  );
}

/** The staged appends of a chain, in the order of their places. */
export async function pendingOf(tx: Transaction, chain: string): Promise<PendingAppend[]> {
  const rows = await tx.query<{ expected_seq: number; last_seq: number; last_hash: string; commits: string }>(
    `select expected_seq, last_seq, encode(last_hash, 'hex') as last_hash, commits from pending_appends
      where chain = $1 order by expected_seq`,
    [chain],
  );
  return rows.map(({ expected_seq, last_seq, last_hash, commits }) => ({
    chain,
    expectedSeq: expected_seq,
    lastSeq: last_seq,
    lastHash: last_hash,
    commits: restored(commits),
  }));
}

/** A staged append without its commits. */
interface Waiting {
  readonly chain: string;
  readonly lastHash: string;
  readonly seconds: number;
}

/** The oldest staged appends that are older than this, by the database's clock. */
export async function pendingSince(tx: Transaction, seconds: number, limit: number): Promise<Waiting[]> {
  return tx.query<Waiting & { [column: string]: unknown }>(
    `select chain::text, encode(last_hash, 'hex') as "lastHash", extract(epoch from now() - staged_at)::float8 as seconds
       from pending_appends where staged_at < now() - $1 * interval '1 second' order by staged_at limit $2`,
    [seconds, limit],
  );
}

/** How many appends are staged, and for how long the oldest of them. */
export async function pendingAge(tx: Transaction): Promise<{ count: number; seconds: number }> {
  const [row] = await tx.query<{ count: number; seconds: number }>(
    `select count(*) as count, coalesce(extract(epoch from now() - min(staged_at)), 0)::float8 as seconds from pending_appends`,
  );
  return { count: row?.count ?? 0, seconds: row?.seconds ?? 0 };
}

/** Removes the staged rows of appends that were applied. */
export async function dropApplied(tx: Transaction, chain: string, lastHashes: readonly string[]): Promise<void> {
  if (lastHashes.length === 0) return;
  await tx.query('delete from pending_appends where chain = $1 and last_hash = any($2::bytea[])', [
    chain,
    lastHashes.map((hash) => `\\x${hash}`),
  ]);
}

/** Removes the staged rows of appends whose place others have taken. Files may hold their texts until they are forgotten. */
export async function dropLost(tx: Transaction, chain: string, lastHashes: readonly string[]): Promise<void> {
  if (lastHashes.length === 0) return;
  await dropApplied(tx, chain, lastHashes);
  await noteErased(tx, ['appends that were staged in vain']);
}

function stored(commits: readonly Commit[]): string {
  const rows: StoredCommit[] = commits.map(({ entries, deposits, answer }) => ({
    entries: entries.map(({ bytes }) => Buffer.from(bytes).toString('utf8')),
    deposits: deposits.map(({ receiptId, salt, texts }) => ({
      receiptId,
      salt: Buffer.from(salt).toString('hex'),
      texts: { ...texts },
    })),
    answer,
  }));
  return JSON.stringify(rows);
}

function restored(text: string): Commit[] {
  const rows: StoredCommit[] = JSON.parse(text);
  return rows.map(({ entries, deposits, answer }) => ({
    entries: entries.map((entry) => {
      const bytes = Buffer.from(entry, 'utf8');
      return { entry: readEntry(entry), bytes, hash: entryHash(bytes) };
    }),
    deposits: deposits.map((deposit) => ({ ...deposit, salt: Buffer.from(deposit.salt, 'hex') })),
    answer,
  }));
}

/** Removes all staged rows, when the streams that they wait for hold the ledger no more. */
export async function dropAllPending(tx: Transaction): Promise<void> {
  const dropped = await tx.query('delete from pending_appends returning 1 as one');
  if (dropped.length > 0) await noteErased(tx, ['appends that were staged in vain']);
}

/** The first staged append that should be gone, as a sentence: it is in the tables, or belongs to no chain. */
export async function unresolved(tx: Transaction, seconds: number): Promise<string | null> {
  const [row] = await tx.query<{ chain: string; last_seq: number; is_known: boolean }>(
    `select p.chain::text, p.last_seq, c.chain is not null as is_known
       from pending_appends p left join chains c on c.chain = p.chain
      where p.staged_at < now() - $1 * interval '1 second' and (c.chain is null or exists (
        select 1 from entries e where e.chain = p.chain and e.seq = p.last_seq and e.hash = p.last_hash))
      order by p.chain, p.last_seq limit 1`,
    [seconds],
  );
  if (!row) return null;
  const what = `The append that ends with entry ${row.last_seq} of workspace ${row.chain} in the table pending_appends`;
  return row.is_known ? `${what} was applied, and is still staged.` : `${what} belongs to no chain.`;
}
