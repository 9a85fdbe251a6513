import type { Row, Transaction } from '../../src/database/database.js';
import { countPostings, lengthsBucket, lengthsOf, type Postings, postingsOf } from './buckets.js';
import type { SearchCache } from './cache.js';
import { versionOf } from './place.js';

/** A word of a namespace: the hash of the word, and the bucket that holds its postings. */
export interface Word {
  readonly term: string;
  readonly bucket: string;
}

/** Blocks of a bucket, and the versions of their rows. */
interface Blocks {
  readonly bucket: string;
  readonly blocks: readonly number[];
  readonly versions: readonly string[];
}

/** The blocks that hold a word, and the number of documents that hold it. */
export interface FoundWord extends Word, Blocks {
  readonly frequency: number;
  /** The versions of the rows with the lengths of the documents of these blocks. */
  readonly lengthVersions: readonly string[];
}

/** The same word with those of its blocks only that hold some of the memories that are looked up. */
export function withinBlocks<W extends Blocks>(word: W, isWanted: (block: number) => boolean): W {
  const kept = word.blocks.flatMap((block, i) => (isWanted(block) ? [{ block, version: word.versions[i] ?? '' }] : []));
  return { ...word, blocks: kept.map(({ block }) => block), versions: kept.map(({ version }) => version) };
}

const keyOf = (bucket: string, block: number): string => `${bucket} ${block}`;

/** Reads the blocks of these words. A block comes from memory if its row still has the version that was read before. */
export async function readPostings(
  tx: Transaction,
  cache: SearchCache,
  words: readonly Blocks[],
): Promise<(word: Word, block: number) => Postings | undefined> {
  const read = await readBlocks(tx, cache, words);
  return ({ term, bucket }, block) => {
    const entries = read.get(keyOf(bucket, block));
    return entries && postingsOf(entries, term);
  };
}

/** Reads the lengths of the documents of these blocks. @returns the lengths by the offsets in a block */
export async function readLengths(
  tx: Transaction,
  cache: SearchCache,
  words: readonly Pick<FoundWord, 'bucket' | 'blocks' | 'lengthVersions'>[],
): Promise<(word: Pick<FoundWord, 'bucket'>, block: number) => Float64Array | undefined> {
  const lists = words.map(({ bucket, blocks, lengthVersions }) => ({
    bucket: lengthsBucket(bucket),
    blocks,
    versions: lengthVersions,
  }));
  const read = await readBlocks(tx, cache, lists);
  const decoded = new Map<Buffer, Float64Array>();
  const buckets = new Map(words.map(({ bucket }, i) => [bucket, lists[i]?.bucket ?? '']));
  return ({ bucket }, block) => {
    const entries = read.get(keyOf(buckets.get(bucket) ?? '', block));
    if (!entries) return undefined;
    const lengths = decoded.get(entries) ?? lengthsOf(entries);
    decoded.set(entries, lengths);
    return lengths;
  };
}

/** Finds the blocks that hold each of these words. A word that is in no document is left out. */
export async function findWords(
  tx: Transaction,
  cache: SearchCache,
  words: readonly Word[],
): Promise<Map<string, FoundWord>> {
  const buckets = await readBuckets(tx, words);
  const lists = words.flatMap((word) => {
    const found = buckets.get(word.bucket);
    return found ? [{ ...word, blocks: found.blocks, versions: found.versions }] : [];
  });
  const read = await readBlocks(tx, cache, lists);
  const result = new Map<string, FoundWord>();
  for (const { term, bucket, blocks, versions } of lists) {
    const lengths = buckets.get(lengthsBucket(bucket));
    const versionOfLengths = new Map(lengths?.blocks.map((block, i) => [block, lengths.versions[i] ?? '']));
    const held = blocks.flatMap((block, i) => {
      const entries = read.get(keyOf(bucket, block));
      const count = entries ? countPostings(entries, term) : 0;
      return count === 0 ? [] : [{ block, count, version: versions[i] ?? '' }];
    });
    if (held.length === 0) continue;
    result.set(term, {
      term,
      bucket,
      frequency: held.reduce((sum, { count }) => sum + count, 0),
      blocks: held.map(({ block }) => block),
      versions: held.map(({ version }) => version),
      lengthVersions: held.map(({ block }) => versionOfLengths.get(block) ?? ''),
    });
  }
  return result;
}

interface BucketRow extends Row {
  bucket: string;
  blocks: number[];
  versions: string[];
}

/** Lists the blocks of the buckets of these words, and of the lengths of their namespaces. */
async function readBuckets(tx: Transaction, words: readonly Word[]): Promise<Map<string, BucketRow>> {
  const buckets = new Set(words.flatMap(({ bucket }) => [bucket, lengthsBucket(bucket)]));
  const rows = await tx.query<BucketRow>(
    `select p.bucket::text, array_agg(p.block) as blocks, array_agg(${versionOf('p')}) as versions
       from unnest($1::bigint[]) r(bucket) join search_postings p using (bucket) group by 1`,
    [[...buckets]],
  );
  return new Map(rows.map((row) => [row.bucket, row]));
}

interface BlockRow extends Row {
  bucket: string;
  block: number;
  version: string;
  entries: string;
}

async function readBlocks(tx: Transaction, cache: SearchCache, lists: readonly Blocks[]): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  const stale = new Map<string, { readonly bucket: string; readonly block: number }>();
  for (const { bucket, blocks, versions } of lists) {
    for (const [i, block] of blocks.entries()) {
      const key = keyOf(bucket, block);
      const cached = cache.postings.get(key);
      if (cached && cached.version === versions[i]) found.set(key, cached.entries);
      else stale.set(key, { bucket, block });
    }
  }
  if (stale.size === 0) return found;
  const wanted = [...stale.values()];
  const rows = await tx.query<BlockRow>(
    `select p.bucket::text, p.block, encode(p.entries, 'base64') as entries, ${versionOf('p')} as version
       from unnest($1::bigint[], $2::bigint[]) r(bucket, block) join search_postings p using (bucket, block)`,
    [wanted.map((one) => one.bucket), wanted.map((one) => one.block)],
  );
  for (const { bucket, block, version, entries: encoded } of rows) {
    const entries = Buffer.from(encoded, 'base64');
    cache.postings.set(keyOf(bucket, block), { version, entries }, entries.length + 300);
    found.set(keyOf(bucket, block), entries);
  }
  return found;
}
