import { binaryArray, typeNumbers } from '../../../src/base/binary-array.js';
import type { OnFault } from '../../../src/base/faults.js';
import { groupedBy } from '../../../src/base/groups.js';
import type { Database, Row, Transaction } from '../../../src/database/database.js';
import { rowFault } from '../../row-fault.js';
import { codeBits, postingBits } from '../blocks.js';
import { firstBucket, lastBucket, postingWidth } from '../buckets.js';
import { type Block, codeBlocks, type Numbered, postingBlocks } from '../new-blocks.js';
import { codesRow } from '../recent.js';
import type { BlockRange, ListedById } from './parts.js';

interface ListsCheck {
  readonly range: BlockRange;
  /** The documents as they must be. */
  readonly expected: ListedById;
  readonly compareCodes: boolean;
  readonly found: OnFault;
}

/**
 * Compares the lists by which searches find the documents of a range with those that a rebuild would write. The newest documents have
 * rows of their own, and no entries in blocks. Documents that were added after the texts were read, and documents that are being added
 * or removed, are unknown, and their entries are ignored.
 */
export function checkLists(database: Database, check: ListsCheck): Promise<void> {
  const { range, expected, compareCodes } = check;
  return atOneMoment(database, async (tx) => {
    const documents = await readDocuments(tx, range);
    const known = documents.flatMap(({ memoryId, finished }) => (finished ? (expected.get(memoryId) ?? []) : []));
    const unknown = documents.filter(({ memoryId, finished }) => !finished || !expected.has(memoryId));
    const recent = new Map((await readRecent(tx, range)).map((one) => [one.seq, one]));
    const inBlocks = known.filter(({ seq }) => !recent.has(seq));
    for (const one of known) {
      const row = recent.get(one.seq);
      if (!row || isSame(row, one, compareCodes)) continue;
      const key = { namespace_id: range.namespaceId, seq: one.seq };
      check.found('search_recent', rowFault('search_recent', key, 'different'));
    }
    await checkPostings(tx, check, { blocks: postingBlocks(inBlocks), unknown });
    if (!compareCodes) return;
    const spaces = new Set([...expected.values()].flatMap(({ codes }) => codes.map(({ key }) => key)));
    await checkCodes(tx, check, { byWidth: codeBlocks(inBlocks), unknown, spaces: [...spaces] });
  });
}

/** A row of `search_recent` as it is stored, which may be damaged. */
interface RecentRow extends Row {
  readonly seq: number;
  readonly postings: string;
  readonly codes: string;
}

const isSame = (row: RecentRow, one: Numbered, compareCodes: boolean): boolean =>
  one.postings.equals(Buffer.from(row.postings, 'base64')) &&
  (!compareCodes || codesRow(one.codes).equals(Buffer.from(row.codes, 'base64')));

const readRecent = (tx: Transaction, { namespaceId, from, to }: BlockRange): Promise<RecentRow[]> =>
  tx.query<RecentRow>(
    `select seq, encode(postings, 'base64') as postings, encode(codes, 'base64') as codes from search_recent
      where namespace_id = $1 and seq >= $2 and seq < $3`,
    [namespaceId, from, to],
  );

/** A document of the range. It is unfinished while it is being added or removed. */
interface Document {
  readonly memoryId: string;
  readonly seq: number;
  readonly finished: boolean;
}

async function readDocuments(tx: Transaction, { namespaceId, from, to }: BlockRange): Promise<Document[]> {
  const [row] = await tx.query<{ documents: string | null }>(
    `select json_agg(one)::text as documents from (
       select memory_id as "memoryId", seq, model <> '' as finished from search_documents
        where namespace_id = $1 and seq >= $2 and seq < $3) one`,
    [namespaceId, from, to],
  );
  return JSON.parse(row?.documents ?? '[]');
}

/** A row whose stored entries are not the expected ones; null where there is no row. */
interface Different extends Row {
  readonly key: string;
  readonly block: number;
  readonly stored: string | null;
}

/** SQL of the rows of `stored` that are not as $1 to $3 say. Only these leave the database, in base64. */
const different = (stored: string): string =>
  `select key::text, block, encode(s.entries, 'base64') as stored
     from unnest($1::bigint[], $2::bigint[], $3::bytea[]) e(key, block, entries) full join (${stored}) s using (key, block)
    where e.entries is distinct from s.entries order by key, block`;

const columnsOf = (blocks: readonly Block[]) => [
  blocks.map(({ key }) => key),
  blocks.map(({ block }) => block),
  binaryArray(
    typeNumbers.bytea,
    blocks.map(({ entries }) => entries),
  ),
];

async function checkPostings(
  tx: Transaction,
  { range, found }: ListsCheck,
  { blocks, unknown }: { readonly blocks: readonly Block[]; readonly unknown: readonly Document[] },
): Promise<void> {
  const rows = await tx.query<Different>(
    different(`select bucket as key, block, entries from search_postings
        where bucket between ${firstBucket('$4::uuid')} and ${lastBucket('$4::uuid')}
          and block >= $5::bigint >> ${postingBits} and block < $6::bigint >> ${postingBits}`),
    [...columnsOf(blocks), range.namespaceId, range.from, range.to],
  );
  for (const { row, how } of differing(rows, blocks, unknown, { bits: postingBits, widthOf: () => postingWidth })) {
    found('search_postings', rowFault('search_postings', { bucket: row.key, block: row.block }, how));
  }
}

async function checkCodes(
  tx: Transaction,
  { range, found }: ListsCheck,
  lists: {
    readonly byWidth: ReadonlyMap<number, readonly Block[]>;
    readonly unknown: readonly Document[];
    readonly spaces: readonly string[];
  },
): Promise<void> {
  const { byWidth, unknown, spaces } = lists;
  const blocks = [...byWidth.values()].flat();
  const widths = new Map([...byWidth].flatMap(([width, same]) => same.map(({ key }) => [key, width] as const)));
  const rows = await tx.query<Different>(
    different(`select space as key, block, entries from search_codes
        where space = any($4::bigint[]) and block >= $5::bigint >> ${codeBits} and block < $6::bigint >> ${codeBits}`),
    [...columnsOf(blocks), spaces, range.from, range.to],
  );
  const bytes = { bits: codeBits, widthOf: (key: string) => widths.get(key) ?? null };
  for (const { row, how } of differing(rows, blocks, unknown, bytes)) {
    // A row whose vectors are gone is found as an orphan, by them.
    if (how !== 'orphan') found('search_codes', rowFault('search_codes', { space: row.key, block: row.block }, how));
  }
}

interface Entries {
  readonly bits: number;
  /** The bytes of an entry of a row; null for a row that has none of the expected ones. */
  widthOf(key: string): number | null;
}

/** The rows that are still different without the entries of unknown documents. */
function differing(
  rows: readonly Different[],
  blocks: readonly Block[],
  unknown: readonly Document[],
  { bits, widthOf }: Entries,
) {
  if (rows.length === 0) return [];
  const expected = new Map(blocks.map(({ key, block, entries }) => [`${key} ${block}`, entries]));
  const unknownIn = groupedBy(unknown, ({ seq }) => String(Math.floor(seq / 2 ** bits)));
  return rows.flatMap((row): { readonly row: Different; readonly how: 'missing' | 'orphan' | 'different' }[] => {
    const wanted = expected.get(`${row.key} ${row.block}`);
    if (row.stored === null) return [{ row, how: 'missing' }];
    const bytes = Buffer.from(row.stored, 'base64');
    const offsets = new Set(unknownIn.get(String(row.block))?.map(({ seq }) => seq % 2 ** bits));
    const width = widthOf(row.key);
    const left = width === null ? bytes : without(bytes, width, offsets);
    if (wanted) return left.equals(wanted) ? [] : [{ row, how: 'different' }];
    return left.length > 0 || bytes.length === 0 ? [{ row, how: 'orphan' }] : [];
  });
}

/** The entries of a block without those of the documents at these offsets. */
function without(entries: Buffer, width: number, offsets: ReadonlySet<number>): Buffer {
  if (offsets.size === 0) return entries;
  const kept: Buffer[] = [];
  for (let at = 0; at < entries.length; at += width) {
    if (at + width > entries.length || !offsets.has(entries.readUInt8(at))) kept.push(entries.subarray(at, at + width));
  }
  return Buffer.concat(kept);
}

/** Runs several reads that see the store as of one moment. Writers do not have to wait for them. */
function atOneMoment<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return database.read(async (tx) => {
    await tx.query('set transaction isolation level repeatable read');
    return work(tx);
  });
}
