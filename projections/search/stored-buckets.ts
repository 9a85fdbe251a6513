import { groupedBy } from '../../src/base/groups.js';
import type { Row, Transaction } from '../../src/database/database.js';
import { entriesUntil, postingBits } from './blocks.js';
import { placeOfBucket, postingWidth } from './buckets.js';
import type { SearchCache } from './cache.js';
import { placedWidth, rangeOf, writeEntries } from './placed-postings.js';
import { blockSize, type StoredBlock } from './posting-list.js';
import { behind, type RecentDocument } from './recent.js';
import { type NamespaceState, type Reach, removedSince, staleFrom } from './states.js';

/** A bucket of which the blocks from `from` on are wanted, as they are in this state of its namespace. */
export interface WantedBucket {
  readonly bucket: string;
  readonly state: NamespaceState;
  readonly from: number;
}

/**
 * The blocks of buckets, the oldest first, with the documents that are not in blocks yet as if they were. A bucket that was read stays in
 * memory with all of its words, because a search looks at the postings of dozens that are spelt like its own.
 */
export async function storedBlocks(
  tx: Transaction,
  cache: SearchCache,
  wanted: readonly WantedBucket[],
): Promise<Map<string, readonly StoredBlock[]>> {
  const asked = wanted.map((one) => askedOf(one, cache.buckets.get(one.bucket)));
  const [read, again] = await Promise.all([
    readFrom(
      tx,
      asked.flatMap(({ bucket, first }) => (first === null ? [] : [{ bucket, first }])),
    ),
    readBlocks(
      tx,
      asked.flatMap(({ bucket, again }) => again.map((block) => ({ bucket, block }))),
    ),
  ]);
  const blocks = new Map<string, readonly StoredBlock[]>();
  for (const { bucket, state, held: known, first, again: blocksAgain } of asked) {
    const { recent, base, newest } = state;
    const held = known && { ...known, bytes: replaced(known.bytes, blocksAgain, again.get(bucket)) };
    // What was sealed since the newest documents were read is among them too.
    const inBlocks =
      first === null
        ? held
        : { bytes: until(continued(held?.bytes, first, read.get(bucket)), recent.sealed), newest: recent.sealed };
    const bytes = inBlocks
      ? withRecent(inBlocks.bytes, behind(recent, inBlocks.newest), placeOfBucket(bucket))
      : nothing;
    // A part of a bucket is of no use for other words.
    if (first === 0 || (held && (held.newest < newest || held.base !== base)))
      cache.buckets.set(bucket, { base, newest, bytes }, 300 + bytes.length);
    blocks.set(bucket, blocksIn(bytes));
  }
  return blocks;
}

interface Asked {
  readonly bucket: string;
  readonly state: NamespaceState;
  /** The part of it that is in memory and still right. */
  readonly held: (Reach & { readonly bytes: Buffer }) | undefined;
  /** From which block on it must be read; null where the newest documents are all that is missing. */
  readonly first: number | null;
  /** The blocks before that which must be read, because documents were removed from them. */
  readonly again: readonly number[];
}

function askedOf({ bucket, state, from }: WantedBucket, known: Asked['held']): Asked {
  const removed = known && known.base !== state.base ? removedSince(known, state) : new Set<number>();
  if (known === undefined || removed === null)
    return { bucket, state, held: undefined, first: known ? 0 : from, again: [] };
  const reached = { base: state.base, newest: known.newest };
  const first = known.newest >= state.recent.from ? null : staleFrom(reached, state, postingBits);
  return { bucket, state, held: known, first, again: [...removed].filter((block) => first === null || block < first) };
}

const nothing = Buffer.alloc(0);

interface BucketRow extends Row {
  bucket: string;
  bytes: string | null;
}

/** The bytes of a block before its entries: its number and their length. */
const headBytes = 12;

/**
 * The blocks of each bucket from `first` on. They come as one value: among a million memories a bucket has 3,900 of them, and a row of
 * each took 20 ms to take apart.
 */
async function readFrom(
  tx: Transaction,
  asked: readonly { readonly bucket: string; readonly first: number }[],
): Promise<Map<string, Buffer>> {
  if (asked.length === 0) return new Map();
  const rows = await tx.query<BucketRow>(
    `select r.bucket::text, encode(p.bytes, 'base64') as bytes
       from unnest($1::bigint[], $2::bigint[]) r(bucket, first) cross join lateral (
         select string_agg(int8send(block) || int4send(octet_length(entries)) || entries, ''::bytea order by block) as bytes
           from search_postings where bucket = r.bucket and block >= r.first) p`,
    [asked.map(({ bucket }) => bucket), asked.map(({ first }) => first)],
  );
  return new Map(rows.map(({ bucket, bytes }) => [bucket, Buffer.from(bytes ?? '', 'base64')]));
}

/** By bucket: the entries of these blocks by their numbers, without those that are empty now. */
async function readBlocks(
  tx: Transaction,
  asked: readonly { readonly bucket: string; readonly block: number }[],
): Promise<Map<string, Map<number, Buffer>>> {
  if (asked.length === 0) return new Map();
  const rows = await tx.query<Row & { bucket: string; block: number; entries: string }>(
    `select p.bucket::text, p.block, encode(p.entries, 'base64') as entries
       from unnest($1::bigint[], $2::bigint[]) r(bucket, block)
       join search_postings p on p.bucket = r.bucket and p.block = r.block`,
    [asked.map(({ bucket }) => bucket), asked.map(({ block }) => block)],
  );
  return new Map(
    Array.from(
      groupedBy(rows, ({ bucket }) => bucket),
      ([bucket, own]) => [bucket, new Map(own.map(({ block, entries }) => [block, Buffer.from(entries, 'base64')]))],
    ),
  );
}

/** With the entries that some blocks have now. */
function replaced(bytes: Buffer, blocks: readonly number[], now: ReadonlyMap<number, Buffer> = new Map()): Buffer {
  if (blocks.length === 0) return bytes;
  const pieces: Buffer[] = [];
  let [at, from] = [0, 0];
  for (const block of blocks.toSorted((a, b) => a - b)) {
    while (at < bytes.length && blockAt(bytes, at) < block) at = endAt(bytes, at);
    pieces.push(bytes.subarray(from, at));
    const entries = now.get(block);
    if (entries) pieces.push(head(block, entries.length), entries);
    if (at < bytes.length && blockAt(bytes, at) === block) at = endAt(bytes, at);
    from = at;
  }
  return Buffer.concat([...pieces, bytes.subarray(from)]);
}

/** The blocks before `first`, and those that were read. */
function continued(bytes: Buffer = nothing, first: number, added: Buffer = nothing): Buffer {
  return Buffer.concat([bytes.subarray(0, firstFrom(bytes, first)), added]);
}

/** Where the first block begins that is not before `first`. */
function firstFrom(bytes: Buffer, first: number): number {
  let end = 0;
  while (end < bytes.length && blockAt(bytes, end) < first) end = endAt(bytes, end);
  return end;
}

/** Without the entries of documents behind `seq`. */
function until(bytes: Buffer, seq: number): Buffer {
  const block = Math.floor(seq / blockSize);
  const start = firstFrom(bytes, block);
  if (start === bytes.length || blockAt(bytes, start) > block) return bytes.subarray(0, start);
  const entries = entriesUntil(bytes.subarray(start + headBytes, endAt(bytes, start)), seq % blockSize, postingWidth);
  const before = bytes.subarray(0, start);
  return entries.length === 0 ? before : Buffer.concat([before, head(block, entries.length), entries]);
}

/** With the postings that documents have in the bucket at this place. Their numbers are behind all others. */
function withRecent(bytes: Buffer, documents: readonly RecentDocument[], place: number): Buffer {
  const parts = documents.flatMap(({ seq, postings }): PostingsOf[] => {
    const range = rangeOf(postings, place);
    return range.from < range.to ? [{ seq, postings, ...range }] : [];
  });
  if (parts.length === 0) return bytes;
  const groups = groupedBy(parts, ({ seq }) => Math.floor(seq / blockSize));
  const [first = 0] = groups.keys();
  const start = firstFrom(bytes, first);
  const [last] = blocksIn(bytes.subarray(start));
  const pieces = [bytes.subarray(0, start)];
  for (const [block, group] of groups) {
    const entries = continuedEntries(block === first ? last?.entries : undefined, group);
    pieces.push(head(block, entries.length), entries);
  }
  return Buffer.concat(pieces);
}

/** Postings of a document in one bucket. */
interface PostingsOf {
  readonly seq: number;
  readonly postings: Buffer;
  readonly from: number;
  readonly to: number;
}

function continuedEntries(before: Buffer = nothing, added: readonly PostingsOf[]): Buffer {
  const size = added.reduce((sum, { from, to }) => sum + ((to - from) / placedWidth) * postingWidth, before.length);
  const entries = Buffer.allocUnsafe(size);
  let at = before.copy(entries);
  for (const one of added) at = writeEntries(entries, at, one.seq % blockSize, one);
  return entries;
}

function head(block: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(headBytes);
  bytes.writeBigInt64BE(BigInt(block));
  bytes.writeUInt32BE(size, 8);
  return bytes;
}

// Not as one integer of 64 bits, which takes an object.
const blockAt = (bytes: Buffer, at: number): number => bytes.readUInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4);
const endAt = (bytes: Buffer, at: number): number => at + headBytes + bytes.readUInt32BE(at + 8);

function blocksIn(bytes: Buffer): StoredBlock[] {
  const blocks: StoredBlock[] = [];
  for (let at = 0; at < bytes.length; at = endAt(bytes, at)) {
    blocks.push({ block: blockAt(bytes, at), entries: bytes.subarray(at + headBytes, endAt(bytes, at)) });
  }
  return blocks;
}
