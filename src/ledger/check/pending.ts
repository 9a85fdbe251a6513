import { namedFaults } from '../../base/faults.js';
import type { Database, Row, Transaction } from '../../database/database.js';

/**
 * Receipts whose vault row is gone and whose deletion the check has not met yet. A table and not a set in memory: a store
 * in which ten million memories were deleted would need a gigabyte for it. It holds receipt ids, which reveal nothing.
 */
export interface Pending {
  add(tx: Transaction, receiptIds: readonly string[]): Promise<void>;
  remove(tx: Transaction, receiptIds: readonly string[]): Promise<void>;
  /** Those that are left: how many, and the first of them. They are pending no more. */
  takeLeft(tx: Transaction, limit: number): Promise<Left>;
  close(): Promise<void>;
}

interface Left {
  readonly count: number;
  readonly texts: readonly LostText[];
}

/** A text that an entry commits to and the vault does not have, without an entry that says why. */
export interface LostText extends Row {
  receipt_id: string;
  chain: string;
  seq: number;
  kind: string;
  memory_id: string | null;
  /** The body of the entry, as JSON text. */
  body: string;
}

export async function openPending(database: Database): Promise<Pending> {
  const run = await database.transaction(async (tx) => {
    await tx.query('create schema if not exists fsck');
    await tx.query(
      `create table if not exists fsck.pending (
         run uuid not null, receipt_id text collate "C" not null, added_at timestamptz not null default now(),
         primary key (run, receipt_id))`,
    );
    // Rows of checks that were killed.
    await tx.query(`delete from fsck.pending where added_at < now() - interval '7 days'`);
    const [row] = await tx.query<{ run: string }>('select gen_random_uuid()::text as run');
    if (!row) throw new Error('the database gave no id');
    return row.run;
  });
  return {
    async add(tx, receiptIds) {
      await tx.query('insert into fsck.pending (run, receipt_id) select $1::uuid, unnest($2::text[])', [
        run,
        receiptIds,
      ]);
    },
    async remove(tx, receiptIds) {
      await tx.query('delete from fsck.pending where run = $1 and receipt_id = any($2::text[])', [run, receiptIds]);
    },
    async takeLeft(tx, limit) {
      const texts = await tx.query<LostText>(
        `select p.receipt_id, e.chain::text, e.seq, e.entry ->> 'kind' as kind, e.entry -> 'body' ->> 'memory_id' as memory_id,
                (e.entry -> 'body')::text as body
           from fsck.pending p cross join lateral (
             select chain, seq, convert_from(bytes, 'UTF8')::json as entry from entries
              where receipt_id = p.receipt_id offset 0) e
          where p.run = $1 order by e.chain, e.seq limit $2`,
        [run, limit],
      );
      const [{ count } = { count: 0 }] = await tx.query<{ count: number }>(
        'with taken as (delete from fsck.pending where run = $1 returning 1) select count(*) as count from taken',
        [run],
      );
      return { count, texts };
    },
    async close() {
      await database.transaction((tx) => tx.query('delete from fsck.pending where run = $1', [run]));
    },
  };
}

export function lostSentence({ receipt_id, chain, seq, kind, memory_id }: LostText): string {
  const what = kind === 'memory.write' ? `memory ${memory_id}` : `the texts of a ${kind}`;
  return `content lost: ${what}, entry ${seq} of workspace ${chain}: the row ${receipt_id} of the table vault is missing, and no later entry says that it may be.`;
}

/** The texts that a check has found missing. They cannot be restored from entries, so the check continues without them. */
export interface LostContent {
  /** Notes what is pending at the end of a chain. */
  take(tx: Transaction, pending: Pending): Promise<void>;
  /** A line for each lost text, the first ones by name; null when nothing is lost. */
  summary(): string | null;
  count(): number;
}

/** Takes the first ones themselves, for those who do something about them. */
export function collectLost(most: number): Pick<LostContent, 'take'> & { readonly texts: readonly LostText[] } {
  const texts: LostText[] = [];
  return {
    texts,
    async take(tx, pending) {
      texts.push(...(await pending.takeLeft(tx, most - texts.length)).texts);
    },
  };
}

export function createLostContent(): LostContent {
  const sentences: string[] = [];
  let count = 0;
  return {
    async take(tx, pending) {
      const left = await pending.takeLeft(tx, namedFaults - sentences.length);
      count += left.count;
      sentences.push(...left.texts.map(lostSentence));
    },
    count: () => count,
    summary() {
      if (count === 0) return null;
      const more = count - sentences.length;
      return [...sentences, ...(more > 0 ? [`content lost: ${more} more, which are not named here.`] : [])].join('\n');
    },
  };
}
