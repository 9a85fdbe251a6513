import type { Row, Transaction } from '../../src/database/database.js';
import { lengthsBucket } from './buckets.js';
import type { SearchCache } from './cache.js';
import { versionOf } from './place.js';
import { type Bucket, type Lengths, lengthsIn, listOf, type PostingList, type StoredBlock } from './posting-list.js';

/** A word of a namespace: the hash of the word, and the bucket that holds its postings. */
export interface Word {
  readonly term: string;
  readonly bucket: string;
}

/** A word with its documents. */
export interface FoundWord extends Word {
  /** The number of documents that hold it. */
  readonly frequency: number;
  readonly list: PostingList;
  /** The lengths of all documents of the namespace. */
  readonly lengths: Lengths;
}

const noBlocks: Bucket = { blocks: [] };

/** Reads the documents that hold each of these words. A word that is in no document is left out. */
export async function findWords(
  tx: Transaction,
  cache: SearchCache,
  words: readonly Word[],
): Promise<Map<string, FoundWord>> {
  const buckets = await readBuckets(tx, cache, words);
  const found = new Map<string, FoundWord>();
  for (const { term, bucket } of words) {
    const list = listOf(buckets.get(bucket) ?? noBlocks, term);
    if (!list) continue;
    const lengths = lengthsIn(buckets.get(lengthsBucket(bucket)) ?? noBlocks);
    found.set(term, { term, bucket, frequency: list.offsets.length, list, lengths });
  }
  return found;
}

interface BucketRow extends Row {
  bucket: string;
  blocks: number[];
  versions: string[];
}

/** The bytes of a block in the cache besides its entries. */
const bytesOfBlock = 300;

/**
 * The buckets of these words, and of the lengths of their namespaces. A block comes from memory if its row still has the version
 * that was read before.
 */
async function readBuckets(tx: Transaction, cache: SearchCache, words: readonly Word[]): Promise<Map<string, Bucket>> {
  const wanted = new Set(words.flatMap(({ bucket }) => [bucket, lengthsBucket(bucket)]));
  const rows = await tx.query<BucketRow>(
    `select p.bucket::text, array_agg(p.block order by p.block) as blocks, array_agg(${versionOf('p')} order by p.block) as versions
       from unnest($1::bigint[]) r(bucket) join search_postings p using (bucket) group by 1`,
    [[...wanted]],
  );
  const listed = rows.map((row) => ({ ...row, ...heldOf(row, cache.postings.get(row.bucket)) }));
  const read = await readBlocks(
    tx,
    listed.flatMap(({ bucket, stale }) => stale.map((block) => ({ bucket, block }))),
  );
  return new Map(
    listed.map(({ bucket, held, stale, whole }) => {
      if (whole) return [bucket, whole];
      const fresh = stale.flatMap((block) => read.get(keyOf({ bucket, block })) ?? []);
      const current = { blocks: [...held, ...fresh].sort((a, b) => a.block - b.block) };
      const bytes = current.blocks.reduce((sum, { entries }) => sum + entries.length + bytesOfBlock, 0);
      cache.postings.set(bucket, current, bytes);
      return [bucket, current];
    }),
  );
}

interface Held {
  /** The blocks that are in memory in their current version. */
  readonly held: readonly StoredBlock[];
  /** Those that must be read. */
  readonly stale: readonly number[];
  /** The bucket in memory, if it has all blocks and no others; otherwise null. */
  readonly whole: Bucket | null;
}

function heldOf({ blocks, versions }: BucketRow, cached: Bucket | undefined): Held {
  const known = new Map(cached?.blocks.map((one) => [one.block, one]));
  const held: StoredBlock[] = [];
  const stale: number[] = [];
  for (const [i, block] of blocks.entries()) {
    const one = known.get(block);
    if (one && one.version === versions[i]) held.push(one);
    else stale.push(block);
  }
  const whole = cached && stale.length === 0 && known.size === blocks.length ? cached : null;
  return { held, stale, whole };
}

interface Stored {
  readonly bucket: string;
  readonly block: number;
}

const keyOf = ({ bucket, block }: Stored): string => `${bucket} ${block}`;

interface BlockRow extends Row, Stored {
  bucket: string;
  block: number;
  version: string;
  entries: string;
}

/** @returns by bucket and block; without those that are gone meanwhile */
async function readBlocks(tx: Transaction, wanted: readonly Stored[]): Promise<Map<string, StoredBlock>> {
  if (wanted.length === 0) return new Map();
  const rows = await tx.query<BlockRow>(
    `select p.bucket::text, p.block, encode(p.entries, 'base64') as entries, ${versionOf('p')} as version
       from unnest($1::bigint[], $2::bigint[]) r(bucket, block) join search_postings p using (bucket, block)`,
    [wanted.map(({ bucket }) => bucket), wanted.map(({ block }) => block)],
  );
  return new Map(
    rows.map((row) => {
      const { block, version, entries } = row;
      return [keyOf(row), { block, version, entries: Buffer.from(entries, 'base64') }];
    }),
  );
}
