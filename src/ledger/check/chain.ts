import { erasedBy } from '../../../contracts/entries/catalogue.js';
import type { Entry } from '../../../contracts/entries/entry.js';
import type { Database, Row, Transaction } from '../../adapters/database/database.js';
import { canonicalBytes } from '../canonical.js';
import { follow, genesisHead, type Head } from '../chain.js';
import { depositFault, hasDeposit } from '../deposits.js';
import { readEntry } from '../read-entry.js';
import { depositOf } from '../vault-row.js';
import { batchEntries, batchOf } from './batches.js';
import type { LostContent } from './lost.js';
import type { Pending } from './pending.js';

export interface ChainRow extends Row {
  chain: string;
  genesis: Uint8Array;
  tag_key: Uint8Array;
  head_seq: number;
  head_hash: string;
  /** The number of the last entry that is stored, as of the same moment as the head. */
  last_seq: number;
}

interface EntryRow extends Row {
  seq: number;
  receipt_id: string;
  hash: string;
  bytes: Uint8Array;
  salt: Uint8Array | null;
  content: string | null;
  metadata: string | null;
  source: string | null;
  label: string | null;
  others: string | null;
}

const tagKeyBytes = 32;

/** Chains after `after` with their heads, in the order of their ids. */
export function chainsAfter(tx: Transaction, after: string | null, limit: number): Promise<ChainRow[]> {
  return tx.query<ChainRow>(
    `select c.chain::text, c.genesis, c.tag_key, c.head_seq, encode(c.head_hash, 'hex') as head_hash,
            coalesce((select max(e.seq) from entries e where e.chain = c.chain), 0) as last_seq
       from chains c where $1::uuid is null or c.chain > $1::uuid order by c.chain limit $2`,
    [after, limit],
  );
}

/** The parts that a check of one chain works with. */
export interface ChainCheck {
  readonly database: Database;
  readonly pending: Pending;
  readonly lost: LostContent;
  readonly onEntries: (count: number) => void;
}

/**
 * Derives a chain again from its stored bytes, up to the head in `row`, and opens what its entries commit to.
 * A memory that is deleted while this runs has lost its vault row before its memory.delete is met, so the entries that
 * came in meanwhile are read too; a vault row that is still unaccounted for then is lost.
 * @returns the first fault as a sentence, or null; what is lost is noted and is none
 */
export async function checkChain(check: ChainCheck, row: ChainRow): Promise<string | null> {
  const start = genesisOf(row);
  if (typeof start === 'string') return start;
  const end = await walk(check, row, start, true);
  if (typeof end === 'string') return end;
  const [now] = await check.database.transaction((tx) =>
    tx.query<ChainRow>(
      `select chain::text, genesis, tag_key, head_seq, encode(head_hash, 'hex') as head_hash, head_seq as last_seq
         from chains where chain = $1`,
      [row.chain],
    ),
  );
  if (!now) return `The chain of workspace ${row.chain} is gone from the table chains.`;
  const later = await walk(check, now, end, false);
  if (typeof later === 'string') return later;
  await check.database.transaction((tx) => check.lost.take(tx, check.pending));
  return null;
}

function genesisOf({ chain, genesis, tag_key }: ChainRow): Head | string {
  const where = `The genesis of workspace ${chain} in the table chains`;
  try {
    const value: { workspace_id?: unknown } = JSON.parse(Buffer.from(genesis).toString('utf8'));
    if (Buffer.compare(canonicalBytes(value), genesis) !== 0) return `${where} is not in canonical form.`;
    if (value.workspace_id !== chain) return `${where} is that of another workspace.`;
  } catch {
    return `${where} is not readable.`;
  }
  // HMAC fills a short key up with zeros, so a key with a zero behind it would make the same tags.
  if (tag_key.length !== tagKeyBytes) {
    return `The tag_key of workspace ${chain} in the table chains is not of ${tagKeyBytes} bytes.`;
  }
  return genesisHead(genesis);
}

/** Follows the chain from `from` to the head in `row`. @returns where it ends, or the first fault */
async function walk(check: ChainCheck, row: ChainRow, from: Head, noteMissing: boolean): Promise<Head | string> {
  const { chain, head_seq, head_hash, last_seq } = row;
  if (last_seq > head_seq) {
    return `The table entries continues to entry ${last_seq} of workspace ${chain}, beyond its head ${head_seq} in the table chains.`;
  }
  let at: Head = from;
  let ahead = readBatch(check, row, at.seq);
  while (at.seq < head_seq) {
    const rows = await ahead;
    // The database reads the next entries while these are hashed.
    ahead = readBatch(check, row, rows.at(-1)?.seq ?? head_seq);
    ahead.catch(() => undefined);
    const next = await checkBatch(check, row, at, rows, noteMissing);
    if (typeof next === 'string') {
      await ahead.catch(() => undefined);
      return next;
    }
    check.onEntries(next.seq - at.seq);
    at = next;
  }
  await ahead;
  if (at.seq !== head_seq || at.hash !== head_hash) {
    return `The head of workspace ${chain} in the table chains is not the hash of its entry ${head_seq}.`;
  }
  return at;
}

/** A batch of the entries after number `after`, up to the head; none behind it. */
async function readBatch({ database }: ChainCheck, { chain, head_seq }: ChainRow, after: number): Promise<EntryRow[]> {
  if (after >= head_seq) return [];
  return database.read((tx) => tx.query<EntryRow>(entryRows, [chain, after, Math.min(after + batchEntries, head_seq)]));
}

async function checkBatch(
  { database, pending }: ChainCheck,
  { chain, head_seq }: ChainRow,
  from: Head,
  rows: readonly EntryRow[],
  noteMissing: boolean,
): Promise<Head | string> {
  if (rows.length === 0) {
    return `Entry ${from.seq + 1} of workspace ${chain} is missing from the table entries: its head is entry ${head_seq}.`;
  }
  let at = from;
  const unopened: string[] = [];
  const erased: string[] = [];
  for (const row of rows) {
    const next = follow(chain, at, row);
    if (typeof next === 'string') return `In the table entries, ${next}.`;
    at = next;
    const entry = readEntry(Buffer.from(row.bytes).toString('utf8'));
    const fault = rowFault(entry, row);
    if (fault !== null) return fault;
    if (row.salt === null && hasDeposit(entry)) unopened.push(entry.receipt_id);
    erased.push(...erasedBy(entry));
  }
  const noted = noteMissing ? unopened : [];
  if (noted.length === 0 && erased.length === 0) return at;
  return database.transaction(async (tx) => {
    if (noted.length > 0) await pending.add(tx, noted);
    if (erased.length === 0) return at;
    await pending.remove(tx, erased);
    return (await undestroyedDeposit(tx, erased)) ?? at;
  });
}

const entryRows = batchOf(
  `seq, receipt_id, encode(hash, 'hex') as hash, bytes, salt, content, metadata, source, label, others`,
);

/** A contradiction between the bytes of an entry and its other columns or the vault. */
function rowFault(entry: Entry, row: EntryRow): string | null {
  const where = `entry ${entry.seq} of workspace ${entry.workspace_id}`;
  if (entry.receipt_id !== row.receipt_id) {
    return `The column receipt_id of ${where} in the table entries says ${row.receipt_id}, its bytes say ${entry.receipt_id}.`;
  }
  const { salt } = row;
  if (salt === null) return null;
  const fault = depositFault(entry, depositOf(row.receipt_id, { ...row, salt }));
  return fault && `The row ${row.receipt_id} of the table vault (${where}) ${fault}.`;
}

async function undestroyedDeposit(tx: Transaction, erased: readonly string[]): Promise<string | null> {
  const [found] = await tx.query<{ receipt_id: string; chain: string; seq: number }>(
    `select v.receipt_id, e.chain::text, e.seq from vault v join entries e on e.receipt_id = v.receipt_id
      where v.receipt_id = any($1::text[]) order by v.receipt_id limit 1`,
    [erased],
  );
  if (!found) return null;
  return `The row ${found.receipt_id} of the table vault (entry ${found.seq} of workspace ${found.chain}) belongs to something that was deleted.`;
}
