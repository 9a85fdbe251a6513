import type { Row, Transaction } from '../../src/database/database.js';
import { lengthsBucket } from './buckets.js';
import type { SearchCache } from './cache.js';
import { blocksIn, listOfBlocks } from './listed-blocks.js';
import { versionOf } from './place.js';
import { type Bucket, type Lengths, lengthsIn, listOf, type PostingList, type StoredBlock } from './posting-list.js';
import { namespaceVersions } from './versions.js';

/** A word of a namespace: the hash of the word, and the bucket that holds its postings. */
export interface Word {
  readonly namespace_id: string;
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

const noBlocks: readonly StoredBlock[] = [];

/** Reads the documents that hold each of these words. A word that is in no document is left out. */
export async function findWords(
  tx: Transaction,
  cache: SearchCache,
  words: readonly Word[],
): Promise<Map<string, FoundWord>> {
  const buckets = await readBuckets(tx, cache, words);
  const found = new Map<string, FoundWord>();
  for (const { namespace_id, term, bucket } of words) {
    const list = listOf(buckets.get(bucket) ?? noBlocks, term);
    if (!list) continue;
    const lengths = lengthsIn(buckets.get(lengthsBucket(bucket)) ?? noBlocks);
    found.set(term, { namespace_id, term, bucket, frequency: list.offsets.length, list, lengths });
  }
  return found;
}

/**
 * The blocks of these words' buckets, and of the lengths of their namespaces. A bucket comes from memory if its namespace has the
 * version under which it was read: to list the blocks of five buckets took a quarter of a search among 40,000 memories, and grew with
 * their number. Otherwise its blocks are listed, and those are read whose row has another version than in memory.
 */
async function readBuckets(
  tx: Transaction,
  cache: SearchCache,
  words: readonly Word[],
): Promise<Map<string, readonly StoredBlock[]>> {
  const namespaceOf = new Map(
    words.flatMap(({ namespace_id, bucket }) => [bucket, lengthsBucket(bucket)].map((one) => [one, namespace_id])),
  );
  // Read before the blocks: under a version that is older than the blocks, no later search looks for them.
  const read = await namespaceVersions(tx, [...new Set(namespaceOf.values())]);
  const versions = new Map(read.map(({ id, version }) => [id, version]));
  const found = new Map<string, readonly StoredBlock[]>();
  const unsure: string[] = [];
  for (const [bucket, namespaceId] of namespaceOf) {
    const cached = cache.postings.get(bucket);
    if (cached && cached.version === versions.get(namespaceId)) found.set(bucket, cached.blocks);
    else unsure.push(bucket);
  }
  for (const bucket of await listedBuckets(tx, cache, unsure)) {
    found.set(bucket.key, bucket.blocks);
    const version = versions.get(namespaceOf.get(bucket.key) ?? '');
    if (version !== undefined) cache.postings.set(bucket.key, { ...bucket, version }, bytesOf(bucket));
  }
  return found;
}

/** The bytes of a block in the cache besides its entries. */
const bytesOfBlock = 300;

const bytesOf = ({ blocks, listed }: Pick<Bucket, 'blocks' | 'listed'>): number =>
  blocks.reduce((sum, { entries }) => sum + entries.length + bytesOfBlock, bytesOfBlock + listed.length);

interface ListedBucket extends Pick<Bucket, 'blocks' | 'listed'> {
  readonly key: string;
}

interface BucketRow extends Row {
  bucket: string;
  listed: string;
}

/** These buckets as the database has them. Blocks come from memory if their rows still have the versions that were read before. */
async function listedBuckets(
  tx: Transaction,
  cache: SearchCache,
  buckets: readonly string[],
): Promise<readonly ListedBucket[]> {
  if (buckets.length === 0) return [];
  const rows = await tx.query<BucketRow>(
    `select p.bucket::text, ${listOfBlocks('p')} as listed
       from unnest($1::bigint[]) r(bucket) join search_postings p using (bucket) group by 1`,
    [buckets],
  );
  const listed = new Map(rows.map((row) => [row.bucket, row.listed]));
  const held = buckets.map((key) => {
    const blocks = listed.get(key) ?? '';
    return { key, listed: blocks, ...heldOf(blocks, cache.postings.get(key)) };
  });
  const read = await readBlocks(
    tx,
    held.flatMap(({ key: bucket, stale }) => stale.map((block) => ({ bucket, block }))),
  );
  return held.map(({ key, listed, blocks, stale }) => {
    if (stale.length === 0) return { key, listed, blocks };
    const fresh = stale.flatMap((block) => read.get(keyOf({ bucket: key, block })) ?? []);
    return { key, listed, blocks: [...blocks, ...fresh].sort((a, b) => a.block - b.block) };
  });
}

interface Held {
  /** The blocks that are in memory in their current version. */
  readonly blocks: readonly StoredBlock[];
  /** Those that must be read. */
  readonly stale: readonly number[];
}

/** @param listed the blocks of the bucket; empty if it has none */
function heldOf(listed: string, cached: Bucket | undefined): Held {
  if (listed === '') return { blocks: [], stale: [] };
  if (cached?.listed === listed) return { blocks: cached.blocks, stale: [] };
  const known = new Map(cached?.blocks.map((one) => [one.block, one]));
  const blocks: StoredBlock[] = [];
  const stale: number[] = [];
  for (const [block, version] of blocksIn(listed)) {
    const one = known.get(block);
    if (one && one.version === version) blocks.push(one);
    else stale.push(block);
  }
  return { blocks, stale };
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
