import { erasedBy } from '../../../contracts/entries/catalogue.js';
import type { Entry } from '../../../contracts/entries/entry.js';
import type { OnFault } from '../../base/faults.js';
import { slices, yieldToOthers } from '../../base/steps.js';
import type { Database, Row, Transaction } from '../../database/database.js';
import { canonicalBytes, entryHash, follow, genesisHead, type Head, readEntry } from '../chain.js';
import { depositFault, depositOf, hasDeposit } from '../deposits.js';
import { batchEntries, batchOf } from './batches.js';
import type { LostContent, Pending } from './pending.js';
import type { Unusable } from './unusable.js';

interface ChainRow extends Row {
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
  readonly lost: Pick<LostContent, 'take'>;
  readonly unusable: Unusable;
  readonly onEntries: (count: number) => void;
  readonly found: OnFault;
}

/**
 * Derives a chain again from its stored bytes, up to the head in `row`, and opens what its entries commit to. It continues behind
 * a fault as if the hash that is stored there were right, so that one altered entry is one fault.
 * A memory that is deleted while this runs has lost its vault row before its memory.delete is met, so the entries that
 * came in meanwhile are read too; a vault row that is still unaccounted for then is lost.
 */
export async function checkChain(check: ChainCheck, row: ChainRow): Promise<void> {
  const fault = genesisFault(row);
  if (fault !== null) check.found('chains', fault);
  const end = await walk(check, row, genesisHead(row.genesis), true);
  const [now] = await check.database.transaction((tx) =>
    tx.query<ChainRow>(
      `select chain::text, genesis, tag_key, head_seq, encode(head_hash, 'hex') as head_hash, head_seq as last_seq
         from chains where chain = $1`,
      [row.chain],
    ),
  );
  if (!now) return check.found('chains', `The chain of workspace ${row.chain} is gone from the table chains.`);
  // The faults of the chain as it was have been named.
  if (now.head_seq > end.seq) await walk(check, now, end, false);
  await check.database.transaction((tx) => check.lost.take(tx, check.pending));
}

function genesisFault({ chain, genesis, tag_key }: ChainRow): string | null {
  const where = `The genesis of workspace ${chain} in the table chains`;
  try {
    const value: { workspace_id?: unknown } = JSON.parse(Buffer.from(genesis).toString('utf8'));
    if (Buffer.compare(canonicalBytes(value), genesis) !== 0) return `${where} is not in canonical form.`;
    if (value.workspace_id !== chain) return `${where} is that of another workspace.`;
  } catch {
    return `${where} is not readable.`;
  }
  // HMAC fills a short key up with zeros, so a key with a zero behind it would make the same tags.
  if (tag_key.length === tagKeyBytes) return null;
  return `The tag_key of workspace ${chain} in the table chains is not of ${tagKeyBytes} bytes.`;
}

/** Follows the chain from `from` to the head in `row`. @returns where it ends */
async function walk(check: ChainCheck, row: ChainRow, from: Head, noteMissing: boolean): Promise<Head> {
  const { chain, head_seq, head_hash, last_seq } = row;
  if (last_seq > head_seq) {
    check.found(
      'chains',
      `The table entries continues to entry ${last_seq} of workspace ${chain}, beyond its head ${head_seq} in the table chains.`,
    );
  }
  let at: Head = from;
  let ahead = readBatch(check, row, at.seq);
  while (at.seq < head_seq) {
    const rows = await ahead;
    if (rows.length === 0) {
      const missing = `Entry ${at.seq + 1} of workspace ${chain} is missing from the table entries: its head is entry ${head_seq}.`;
      check.found('entries', missing);
      return { seq: head_seq, hash: head_hash };
    }
    // The database reads the next entries while these are hashed: the request leaves this thread before it is busy.
    ahead = readBatch(check, row, rows.at(-1)?.seq ?? head_seq);
    ahead.catch(() => undefined);
    await yieldToOthers();
    const before = at;
    at = await checkBatch(check, row, at, rows, noteMissing);
    check.onEntries(at.seq - before.seq);
  }
  await ahead;
  if (at.seq !== head_seq || at.hash !== head_hash) {
    check.found(
      'chains',
      `The head of workspace ${chain} in the table chains is not the hash of its entry ${head_seq}.`,
    );
  }
  return at;
}

/** A batch of the entries after number `after`, up to the head; none when there is none. */
async function readBatch({ database }: ChainCheck, { chain, head_seq }: ChainRow, after: number): Promise<EntryRow[]> {
  if (after >= head_seq) return [];
  return database.read(async (tx) => {
    const batch = (from: number) =>
      tx.query<EntryRow>(entryRows, [chain, from, Math.min(from + batchEntries, head_seq)]);
    const rows = await batch(after);
    if (rows.length > 0) return rows;
    const [next] = await tx.query<{ seq: number | null }>(
      'select min(seq) as seq from entries where chain = $1 and seq > $2 and seq <= $3',
      [chain, after, head_seq],
    );
    return next === undefined || next.seq === null ? [] : batch(next.seq - 1);
  });
}

async function checkBatch(
  check: ChainCheck,
  { chain }: ChainRow,
  from: Head,
  rows: readonly EntryRow[],
  noteMissing: boolean,
): Promise<Head> {
  const { database, pending } = check;
  let at = from;
  const unopened: string[] = [];
  const erased: string[] = [];
  const next = slices();
  for (const row of rows) {
    await next();
    const entry = checkEntry(check, chain, at, row);
    at = { seq: row.seq, hash: row.hash };
    if (entry === null) continue;
    if (row.salt === null && hasDeposit(entry)) unopened.push(entry.receipt_id);
    erased.push(...erasedBy(entry));
  }
  const noted = noteMissing ? unopened : [];
  if (noted.length === 0 && erased.length === 0) return at;
  await database.transaction(async (tx) => {
    if (noted.length > 0) await pending.add(tx, noted);
    if (erased.length === 0) return;
    await pending.remove(tx, erased);
    for (const fault of await undestroyedDeposits(tx, erased)) check.found('vault', fault);
  });
  return at;
}

/** Checks the row of an entry behind `at`. @returns the entry, or null when its bytes are not those that were recorded */
function checkEntry({ found, unusable }: ChainCheck, chain: string, at: Head, row: EntryRow): Entry | null {
  const gap = row.seq === at.seq + 1 ? null : follow(chain, at, row);
  if (typeof gap === 'string') found('entries', `In the table entries, ${gap}.`);
  // Nothing says what the hash of an entry that is missing was.
  const before = gap === null ? at : { seq: row.seq - 1, hash: previousHash(row.bytes) };
  const link = follow(chain, before, row);
  if (typeof link === 'string') found('entries', `In the table entries, ${link}.`);
  const entry = typeof link === 'string' && !isRecorded(row) ? null : attemptEntry(row.bytes);
  if (entry === null || typeof entry === 'string' || entry.seq !== row.seq || entry.workspace_id !== chain) {
    unusable.entry(chain, row.seq);
    if (typeof link !== 'string') found('entries', `Entry ${row.seq} of workspace ${chain} cannot be read: ${entry}.`);
    return null;
  }
  const column = receiptColumnFault(entry, row);
  if (column !== null) found('entries', column);
  const vault = vaultFault(entry, row);
  if (vault !== null) {
    unusable.deposit(row.receipt_id);
    found('vault', vault);
  }
  return entry;
}

/** Whether the bytes are those of the hash that is stored beside them. */
const isRecorded = ({ bytes, hash }: EntryRow): boolean => entryHash(bytes) === hash;

function attemptEntry(bytes: Uint8Array): Entry | string {
  try {
    return readEntry(Buffer.from(bytes).toString('utf8'));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The hash that an entry names as the one before it. */
function previousHash(bytes: Uint8Array): string {
  try {
    const { prev_hash }: { prev_hash?: unknown } = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return String(prev_hash);
  } catch {
    return '';
  }
}

const entryRows = batchOf(
  `seq, receipt_id, encode(hash, 'hex') as hash, bytes, salt, content, metadata, source, label, others`,
);

function receiptColumnFault(entry: Entry, row: EntryRow): string | null {
  if (entry.receipt_id === row.receipt_id) return null;
  return `The column receipt_id of ${where(entry)} in the table entries says ${row.receipt_id}, its bytes say ${entry.receipt_id}.`;
}

function vaultFault(entry: Entry, row: EntryRow): string | null {
  const { salt } = row;
  if (salt === null) return null;
  const fault = depositFault(entry, depositOf(row.receipt_id, { ...row, salt }));
  return fault && `The row ${row.receipt_id} of the table vault (${where(entry)}) ${fault}.`;
}

const where = ({ seq, workspace_id }: Entry): string => `entry ${seq} of workspace ${workspace_id}`;

async function undestroyedDeposits(tx: Transaction, erased: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ receipt_id: string; chain: string; seq: number }>(
    `select v.receipt_id, e.chain::text, e.seq from vault v join entries e on e.receipt_id = v.receipt_id
      where v.receipt_id = any($1::text[]) order by v.receipt_id`,
    [erased],
  );
  return rows.map(
    ({ receipt_id, chain, seq }) =>
      `The row ${receipt_id} of the table vault (entry ${seq} of workspace ${chain}) belongs to something that was deleted.`,
  );
}
