import type { Entry } from '../../../contracts/entries/entry.js';
import type { Recorded } from '../../../contracts/entries/recorded.js';
import type { Transaction } from '../../database/database.js';
import { entryOfToday } from '../chain.js';
import { depositOf } from '../deposits.js';
import type { LeftOut } from './unusable.js';

/**
 * Entries per transaction. Measured on PGlite with the memory read model, in entries replayed per second of processor
 * time: 250 → 3,900, 1,000 → 4,600, 4,000 → 4,200. A bigger batch only makes other transactions wait longer.
 */
export const batchEntries = 1000;
/** The tables that a replay reads. */
export const replayedTables: readonly string[] = ['chains', 'entries', 'vault'];
/** A thousand contents of 1 MiB would be 1 GiB of heap, so a batch also ends when it has this size in bytes. */
const batchBytes = 16 * 1024 * 1024;

/**
 * SQL of the entries of chain $1 after number $2, up to number $3, with their deposits: those of them that fit a batch,
 * and at least one where there is one.
 * @param condition SQL about the entry `e`
 */
export function batchOf(columns: string, condition = 'true'): string {
  // octet_length knows the size of a text that is stored out of line without reading it. Numbers are dense, so the range
  // says what a limit would say, and the planner cannot take it for the whole rest of the chain.
  return `select ${columns} from (
     select e.seq, e.receipt_id, e.hash, e.bytes, v.salt, v.content, v.metadata, v.source, v.label, v.others,
            coalesce(sum(octet_length(e.bytes) + coalesce(octet_length(v.content), 0)
                         + coalesce(octet_length(v.metadata), 0))
              over (order by e.seq rows between unbounded preceding and 1 preceding), 0) as before
       from entries e left join vault v on v.receipt_id = e.receipt_id
      where e.chain = $1 and e.seq > $2 and e.seq <= $3 and ${condition}) summed
   where before < ${batchBytes} order by seq`;
}

interface StoredRecord {
  readonly receiptId: string;
  readonly entry: Entry;
  readonly hash: string;
  readonly salt: string | null;
  readonly content: string | null;
  readonly metadata: string | null;
  readonly source: string | null;
  readonly label: string | null;
  readonly others: string | null;
}

/** All of a batch in one text: a thousand entries leave PGlite in 36 ms of processor time, as a row each in 52. */
const recordedBatch = `select json_agg(one)::text as batch from (${batchOf(
  `receipt_id as "receiptId", convert_from(bytes, 'UTF8')::json as entry, encode(hash, 'hex') as hash,
   encode(salt, 'hex') as salt, content, metadata, source, label, others`,
  'e.seq <> all($4::bigint[])',
)}) one`;

const nothing: LeftOut = { entries: new Map(), deposits: new Set() };

/** The entries, as projections may know them, after `afterSeq`, up to `upTo` or until a batch is full. */
export async function readRecorded(
  tx: Transaction,
  chain: string,
  afterSeq: number,
  upTo: number,
  leftOut: LeftOut = nothing,
): Promise<Recorded[]> {
  const without = [...(leftOut.entries.get(chain) ?? [])];
  const [row] = await tx.query<{ batch: string | null }>(recordedBatch, [chain, afterSeq, upTo, without]);
  const records: StoredRecord[] = JSON.parse(row?.batch ?? '[]');
  return records.map(({ receiptId, entry, hash, salt, ...columns }) => ({
    entry: entryOfToday(entry),
    hash,
    deposit:
      salt === null || leftOut.deposits.has(receiptId)
        ? null
        : depositOf(receiptId, { ...columns, salt: Buffer.from(salt, 'hex') }),
  }));
}

/** The same entries without the deposits that were destroyed since they were read. */
export async function withoutErased(tx: Transaction, recorded: readonly Recorded[]): Promise<readonly Recorded[]> {
  const receipts = recorded.flatMap(({ deposit }) => deposit?.receiptId ?? []);
  if (receipts.length === 0) return recorded;
  const rows = await tx.query<{ id: string }>('select receipt_id as id from vault where receipt_id = any($1::text[])', [
    receipts,
  ]);
  if (rows.length === receipts.length) return recorded;
  const kept = new Set(rows.map(({ id }) => id));
  return recorded.map((one) => (one.deposit && !kept.has(one.deposit.receiptId) ? { ...one, deposit: null } : one));
}
