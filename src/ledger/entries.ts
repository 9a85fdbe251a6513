import type { Recorded } from '../../contracts/entries/recorded.js';
import { inGroups } from '../base/groups.js';
import { bigint, bytea, inserting, text, uuid } from '../database/columns.js';
import type { Row, Transaction } from '../database/database.js';
import { genesisHead, type Head, type Linked, readEntry, type StoredLink } from './chain.js';
import { depositOf } from './deposits.js';
import type { ChainAppend } from './ledger.js';

/** An entry that can be read: the bytes that were hashed, and what they say. */
export interface Stored extends Recorded {
  readonly bytes: Uint8Array;
}

/** A row of the vault: the salt and the texts that an entry commits to. */
interface StoredTexts extends Row {
  salt: Uint8Array;
  content: string | null;
  metadata: string | null;
  source: string | null;
  label: string | null;
}

/** Makes a chain readable that has no entries yet. A chain that is there stays as it is. */
export async function insertChain(
  tx: Transaction,
  chain: string,
  genesis: Uint8Array,
  tagKey: Uint8Array,
): Promise<void> {
  const { seq, hash } = genesisHead(genesis);
  await tx.query(
    `insert into chains (chain, genesis, head_seq, head_hash, tag_key) values ($1, $2, $3, decode($4, 'hex'), $5)
     on conflict do nothing`,
    [chain, genesis, seq, hash, tagKey],
  );
}

/** The ids of all chains, in their order. */
export async function chainIds(tx: Transaction): Promise<string[]> {
  const rows = await tx.query<{ chain: string }>('select chain::text from chains order by chain');
  return rows.map(({ chain }) => chain);
}

/** How many entries all chains have together. */
export async function countEntries(tx: Transaction): Promise<number> {
  const [stored] = await tx.query<{ total: number }>('select coalesce(sum(head_seq), 0)::bigint as total from chains');
  return stored?.total ?? 0;
}

/** The time of the newest entry of all chains, in milliseconds since 1970; 0 without entries. */
export async function newestEntryMs(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ at: string | null }>(
    `select max(convert_from(bytes, 'UTF8')::json ->> 'recorded_at') as at
       from chains c join entries e on e.chain = c.chain and e.seq = c.head_seq`,
  );
  return row?.at ? Date.parse(row.at) : 0;
}

/** The newest entry of every chain that has any, in the order of their ids backwards. */
export function chainHeads(tx: Transaction): Promise<{ chain: string; head: number }[]> {
  return tx.query<{ chain: string; head: number }>(
    'select chain::text, head_seq as head from chains order by chain desc',
  );
}

/** Keeps every append waiting until the transaction ends: each locks its row of chains first. */
export async function holdAppends(tx: Transaction): Promise<void> {
  await tx.query('lock table chains in exclusive mode');
}

/** The same, and every reader of the chains too. */
export async function holdReadersAndAppends(tx: Transaction): Promise<void> {
  await tx.query('lock table chains in access exclusive mode');
}

/** The key under which a chain has its tag in the public log. @throws when there is no such chain */
export async function tagKeyOf(tx: Transaction, chain: string): Promise<Uint8Array> {
  const [row] = await tx.query<{ tag_key: Uint8Array }>('select tag_key from chains where chain = $1', [chain]);
  if (!row) throw new Error(`there is no chain ${chain}`);
  return row.tag_key;
}

/** The salt and the texts of an entry, as they are stored; null when they were erased. */
export async function vaultRowOf(tx: Transaction, receiptId: string): Promise<StoredTexts | null> {
  const [row] = await tx.query<StoredTexts>(
    'select salt, content, metadata, source, label from vault where receipt_id = $1',
    [receiptId],
  );
  return row ?? null;
}

/** The end of a chain. @throws when there is no such chain */
export async function readHead(tx: Transaction, chain: string): Promise<Head> {
  return headOf(chain, await tx.select<HeadRow>(readEnd, [chain]));
}

/** The same, and no other transaction moves it until this one ends. */
export async function lockHead(tx: Transaction, chain: string): Promise<Head> {
  return headOf(chain, await tx.query<HeadRow>(`${readEnd} for update`, [chain]));
}

interface HeadRow extends Row {
  seq: number;
  hash: string;
  recorded_at: string | null;
}

const readEnd = `
  select head_seq as seq, encode(head_hash, 'hex') as hash,
         (select convert_from(bytes, 'UTF8')::json ->> 'recorded_at' from entries e
           where e.chain = c.chain and e.seq = c.head_seq) as recorded_at
    from chains c where chain = $1`;

function headOf(chain: string, [row]: readonly HeadRow[]): Head {
  if (!row) throw new Error(`there is no chain ${chain}`);
  return { seq: row.seq, hash: row.hash, recordedAt: row.recorded_at ?? undefined };
}

/** From where to where the end of a chain moves. */
interface Move {
  readonly chain: string;
  readonly from: Head;
  readonly to: Head;
}

/**
 * Moves the ends of chains, whose rows are locked from then on.
 * @returns the time up to which the ledger is settled; null when one of the chains does not end at `from`: only others were moved
 */
export async function moveHeads(tx: Transaction, moves: readonly Move[]): Promise<number | null> {
  const rows = await tx.query<{ settled_ms: number }>(
    `update chains c set head_seq = m.to_seq, head_hash = decode(m.to_hash, 'hex')
       from unnest($1::uuid[], $2::bigint[], $3::text[], $4::bigint[], $5::text[]) m(chain, seq, hash, to_seq, to_hash)
      where c.chain = m.chain and c.head_seq = m.seq and c.head_hash = decode(m.hash, 'hex')
      returning coalesce((select ms from settled_time), 0) as settled_ms`,
    [
      moves.map(({ chain }) => chain),
      moves.map(({ from }) => from.seq),
      moves.map(({ from }) => from.hash),
      moves.map(({ to }) => to.seq),
      moves.map(({ to }) => to.hash),
    ],
  );
  return rows.length < moves.length ? null : (rows[0]?.settled_ms ?? null);
}

/** Whether a chain has an entry with this hash at this place. All entries before it are then the same too. */
export async function hasEntry(tx: Transaction, chain: string, { seq, hash }: Head): Promise<boolean> {
  const rows = await tx.query(`select 1 from entries where chain = $1 and seq = $2 and hash = decode($3, 'hex')`, [
    chain,
    seq,
    hash,
  ]);
  return rows.length > 0;
}

interface NewEntry extends Linked {
  readonly chain: string;
}

const insertRows = inserting<NewEntry>('entries', [
  uuid('chain', ({ chain }) => chain),
  bigint('seq', ({ entry }) => entry.seq),
  text('receipt_id', ({ entry }) => entry.receipt_id),
  bytea('hash', ({ hash }) => Buffer.from(hash, 'hex')),
  bytea('bytes', ({ bytes }) => bytes),
]);

export async function insertEntries(tx: Transaction, appends: readonly ChainAppend[]): Promise<void> {
  const entries = appends.flatMap(({ chain, commits }) =>
    commits.flatMap((commit) => commit.entries.map((one) => ({ ...one, chain }))),
  );
  // No "on conflict": a row that is there already means that two writers believe in the same place, and one must fail.
  for (const part of partsOf(entries, ({ bytes }) => bytes.length)) await insertRows(tx, part);
}

/** The bytes and hashes of up to `limit` entries after `afterSeq`, in order. */
export async function readLinks(
  tx: Transaction,
  chain: string,
  afterSeq: number,
  limit: number,
): Promise<StoredLink[]> {
  return tx.query<{ seq: number; bytes: Uint8Array; hash: string }>(
    `select seq, bytes, encode(hash, 'hex') as hash from entries where chain = $1 and seq > $2 order by seq limit $3`,
    [chain, afterSeq, limit],
  );
}

interface EntryRow {
  [column: string]: unknown;
  entry: string;
  hash: string;
  salt: string | null;
  content: string | null;
  metadata: string | null;
  source: string | null;
  label: string | null;
  others: string | null;
}

/**
 * Up to `limit` entries after `afterSeq` with their bytes and the deposits that still exist, in order.
 * They come as text, which is two thirds of the time that bytes take on their way out of the database.
 * @throws when the bytes of an entry are no text; `counterfoil fsck` says which
 */
export async function readEntries(tx: Transaction, chain: string, afterSeq: number, limit: number): Promise<Stored[]> {
  const rows = await tx.query<EntryRow>(
    `select convert_from(e.bytes, 'UTF8') as entry, encode(e.hash, 'hex') as hash, encode(v.salt, 'hex') as salt,
            v.content, v.metadata, v.source, v.label, v.others
       from entries e left join vault v on v.receipt_id = e.receipt_id
      where e.chain = $1 and e.seq > $2 order by e.seq limit $3`,
    [chain, afterSeq, limit],
  );
  return rows.map(({ entry: text, hash, salt, ...columns }) => {
    const entry = readEntry(text);
    const deposit = salt === null ? null : depositOf(entry.receipt_id, { ...columns, salt: Buffer.from(salt, 'hex') });
    return { entry, bytes: Buffer.from(text, 'utf8'), hash, deposit };
  });
}

/**
 * The length of the rows that one statement inserts. Measured: 1 MiB of entries occupies the thread for 12 ms until it is
 * sent, and no row is written before the statement before it has ended.
 */
const partLength = 512 * 1024;

/** Rows in their order, in parts that are inserted by one statement each. A longer row is a part of its own. */
export const partsOf = <T>(rows: readonly T[], lengthOf: (row: T) => number): readonly (readonly T[])[] =>
  inGroups(rows, lengthOf, { size: partLength });
