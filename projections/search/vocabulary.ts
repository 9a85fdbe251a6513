import { inGroups } from '../../src/base/groups.js';
import { yieldToOthers } from '../../src/base/steps.js';
import type { Row, Transaction } from '../../src/database/database.js';
import { bareWord } from '../../src/domain/similar-words.js';
import { postingBits } from './blocks.js';
import { lastBucket, lengthsOf } from './buckets.js';
import type { BlockWords, SearchCache } from './cache.js';
import { documentsAt, versionOf } from './place.js';
import { namespaceVersions } from './versions.js';

/**
 * The newest documents of all searched namespaces together whose words are read, and the words of one document and of all of
 * them, with repetitions. Reading 300,000 words takes 0.3 s on PostgreSQL and 1 s in PGlite, after which they are in memory.
 */
const most = { documents: 4096, wordsOfOne: 2000, words: 300_000 };
/** The words that one statement reads, so that other requests to the embedded database wait for 50 ms at most. */
const wordsPerRead = 15_000;

/** The documents of a block, with the version of the row that lists them. */
interface Block extends Row {
  block: number;
  version: string;
  entries: string;
}

/** The words of a namespace, each with its form without accents. */
export type Vocabulary = ReadonlyMap<string, string>;

/**
 * The words of the newest memories of each namespace. They are read from the texts in the index when a query has a word that no
 * memory has. A table of all words would have to be cleaned with each deletion.
 */
export async function vocabulariesOf(
  tx: Transaction,
  cache: SearchCache,
  namespaceIds: readonly string[],
): Promise<Map<string, Vocabulary>> {
  const found = new Map<string, Vocabulary>();
  for (const { id, version } of await namespaceVersions(tx, namespaceIds)) {
    const cached = cache.vocabularies.get(id);
    if (cached?.version === version) {
      found.set(id, cached.words);
      continue;
    }
    const words = await readVocabulary(tx, cache, id, namespaceIds.length);
    cache.vocabularies.set(id, { version, words }, 60 * words.size + 200);
    found.set(id, words);
  }
  return found;
}

async function readVocabulary(
  tx: Transaction,
  cache: SearchCache,
  namespaceId: string,
  namespaces: number,
): Promise<Vocabulary> {
  const words = new Map<string, string>();
  let documents = Math.ceil(most.documents / namespaces);
  let room = Math.ceil(most.words / namespaces);
  let before: number | null = null;
  for (;;) {
    const blocks = await newestBlocks(tx, namespaceId, before);
    for (const { block, version, entries } of blocks) {
      if (documents <= 0 || room <= 0) return words;
      const lengths = lengthsOf(Buffer.from(entries, 'base64'));
      const listed = seqsOf(block, lengths);
      documents -= listed.length;
      for (const length of lengths) room -= length <= most.wordsOfOne ? length : 0;
      const read = await wordsOfBlock(tx, cache, { namespaceId, block, version }, listed, lengths);
      for (const [word, bare] of read.words) words.set(word, bare);
      await yieldToOthers();
    }
    before = blocks.at(-1)?.block ?? null;
    if (before === null) return words;
  }
}

/** The number of blocks that are listed at once. */
const listedBlocks = 16;

function newestBlocks(tx: Transaction, namespaceId: string, before: number | null): Promise<Block[]> {
  return tx.query<Block>(
    `select p.block, ${versionOf('p')} as version, encode(p.entries, 'base64') as entries from search_postings p
      where p.bucket = ${lastBucket('$1::uuid')} and ($2::bigint is null or p.block < $2)
      order by p.block desc limit ${listedBlocks}`,
    [namespaceId, before],
  );
}

/** The documents of a block that are not too long. */
function seqsOf(block: number, lengths: Float64Array): number[] {
  return Array.from(lengths).flatMap((length, offset) =>
    length > 0 && length <= most.wordsOfOne ? [block * 2 ** postingBits + offset] : [],
  );
}

async function wordsOfBlock(
  tx: Transaction,
  cache: SearchCache,
  { namespaceId, block, version }: { namespaceId: string; block: number; version: string },
  listed: readonly number[],
  lengths: Float64Array,
): Promise<BlockWords> {
  const key = `${namespaceId} ${block}`;
  const cached = cache.words.get(key);
  if (cached?.version === version) return cached;
  const current = new Set(listed);
  // If a document is gone, some words may be gone with it. Otherwise only new documents are read.
  const kept = cached && [...cached.seqs].every((seq) => current.has(seq)) ? cached : undefined;
  const words = new Map(kept?.words);
  const seqs = new Set(kept?.seqs);
  for (const group of inGroups(
    listed.filter((seq) => !seqs.has(seq)),
    (seq) => lengths[seq % 2 ** postingBits] ?? 0,
    { size: wordsPerRead },
  )) {
    for (const { seq, lexemes } of await readWords(tx, namespaceId, group)) {
      seqs.add(seq);
      for (const lexeme of lexemes.split(' ')) {
        if (!words.has(lexeme) && isComparable(lexeme)) words.set(lexeme, bareWord(lexeme));
      }
    }
  }
  const read = { version, seqs, words };
  cache.words.set(key, read, 100 * words.size + 40 * seqs.size + 200);
  return read;
}

function readWords(tx: Transaction, namespaceId: string, seqs: readonly number[]) {
  return tx.query<{ seq: number; lexemes: string }>(
    `select d.seq, array_to_string(tsvector_to_array(t.words), ' ') as lexemes
       from ${documentsAt} join search_texts t on t.memory_id = d.memory_id`,
    [seqs.map(() => namespaceId), seqs],
  );
}

/** Numbers, codes, forms and what has signs are never similar to others, and very long words are no words. */
const isComparable = (lexeme: string): boolean => lexeme.length <= 40 && /^[\p{L}\p{M}]+$/u.test(lexeme);
