import type { Row, Transaction } from '../../src/database/database.js';
import { postingBits } from './blocks.js';
import type { SearchCache } from './cache.js';
import type { StoredBlock } from './posting-list.js';
import { type NamespaceState, staleFrom } from './states.js';

/** A bucket of which the blocks from `from` on are wanted, as they are in this state of its namespace. */
export interface WantedBucket {
  readonly bucket: string;
  readonly state: NamespaceState;
  readonly from: number;
}

/**
 * The blocks of buckets, the oldest first. A bucket that was read stays in memory with all of its words, because a search looks at the
 * postings of dozens that are spelt like its own.
 */
export async function storedBlocks(
  tx: Transaction,
  cache: SearchCache,
  wanted: readonly WantedBucket[],
): Promise<Map<string, readonly StoredBlock[]>> {
  const asked = wanted.map(({ bucket, state, from }) => {
    const held = cache.buckets.get(bucket);
    return { bucket, state, held, first: held ? staleFrom(held, state, postingBits) : from };
  });
  const read = await readFrom(
    tx,
    asked.flatMap(({ bucket, first }) => (first === null ? [] : [{ bucket, first }])),
  );
  const blocks = new Map<string, readonly StoredBlock[]>();
  for (const { bucket, state, held, first } of asked) {
    const added = read.get(bucket) ?? nothing;
    const bytes = held ? continued(held.bytes, first, added) : added;
    // A part of a bucket is of no use for other words.
    if (first === 0 || (held && first !== null)) {
      cache.buckets.set(bucket, { base: state.base, newest: state.newest, bytes }, 300 + bytes.length);
    }
    blocks.set(bucket, blocksIn(bytes));
  }
  return blocks;
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

/** The blocks before `first`, and those that were read. */
function continued(bytes: Buffer, first: number | null, added: Buffer): Buffer {
  if (first === null) return bytes;
  let end = 0;
  while (end < bytes.length && blockAt(bytes, end) < first) end = endAt(bytes, end);
  return Buffer.concat([bytes.subarray(0, end), added]);
}

const blockAt = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64BE(at));
const endAt = (bytes: Buffer, at: number): number => at + headBytes + bytes.readUInt32BE(at + 8);

function blocksIn(bytes: Buffer): StoredBlock[] {
  const blocks: StoredBlock[] = [];
  for (let at = 0; at < bytes.length; at = endAt(bytes, at)) {
    blocks.push({ block: blockAt(bytes, at), entries: bytes.subarray(at + headBytes, endAt(bytes, at)) });
  }
  return blocks;
}
