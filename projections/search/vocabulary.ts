import { inGroups } from '../../src/base/groups.js';
import { yieldToOthers } from '../../src/base/steps.js';
import type { Transaction } from '../../src/database/database.js';
import { bareWord } from '../../src/domain/similar-words.js';
import { WordList } from '../../src/domain/word-list.js';
import { postingBits } from './blocks.js';
import type { BlockWords, KnownWords, SearchCache } from './cache.js';
import { documentsAt } from './place.js';
import { findLengths } from './postings.js';
import { type NamespaceState, namespaceStates, staleFrom } from './states.js';

/**
 * The newest documents of all searched namespaces together whose words are read, and the words of one document and of all of
 * them, with repetitions. Reading 300,000 words takes 0.3 s on PostgreSQL and 1 s in PGlite, after which they are in memory.
 */
const most = { documents: 4096, wordsOfOne: 2000, words: 300_000 };
/** The words that one statement reads, so that other requests to the embedded database wait for 50 ms at most. */
const wordsPerRead = 15_000;

/**
 * The words of the newest memories of each namespace. They are read from the texts in the index when a query has a word that no
 * memory has. A table of all words would have to be cleaned with each deletion.
 */
export async function vocabulariesOf(
  tx: Transaction,
  cache: SearchCache,
  namespaceIds: readonly string[],
): Promise<Map<string, WordList>> {
  const found = new Map<string, WordList>();
  for (const state of await namespaceStates(tx, cache, namespaceIds)) {
    const cached = cache.vocabularies.get(state.id);
    if (cached && staleFrom(cached, state, postingBits) === null) {
      found.set(state.id, cached.words);
      continue;
    }
    found.set(state.id, await readVocabulary(tx, cache, state, namespaceIds.length));
  }
  return found;
}

function bytesOf({ blocks, words }: KnownWords): number {
  let bytes = 200 + 60 * words.size;
  for (const block of blocks.values()) bytes += 200 + 100 * block.words.size + 40 * block.seqs.size;
  return bytes;
}

async function readVocabulary(
  tx: Transaction,
  cache: SearchCache,
  state: NamespaceState,
  namespaces: number,
): Promise<WordList> {
  const held = cache.vocabularies.get(state.id);
  const lengths = await findLengths(tx, cache, state);
  const blocks = new Map<number, BlockWords>();
  let documents = Math.ceil(most.documents / namespaces);
  let room = Math.ceil(most.words / namespaces);
  for (const block of [...lengths.keys()].sort((a, b) => b - a)) {
    if (documents <= 0 || room <= 0) break;
    const own = lengths.get(block) ?? new Float64Array();
    const known = held?.blocks.get(block);
    const read = known && isCurrent(known, own) ? known : await wordsOfBlock(tx, state.id, known, block, own);
    documents -= read.documents;
    room -= read.size;
    blocks.set(block, read);
  }
  // Words are only added to those of before while no other search has: otherwise words of a memory that is deleted later could stay.
  const isHeld = cache.vocabularies.get(state.id) === held;
  const read = { base: state.base, newest: state.newest, blocks, words: wordsOf(blocks, isHeld ? held : undefined) };
  cache.vocabularies.set(state.id, read, bytesOf(read));
  return read.words;
}

/**
 * The words of all blocks. While documents are only added to them, their words are added to those that were there: to gather the words
 * of 4,000 documents again took 3 ms of each search after a write.
 */
function wordsOf(blocks: ReadonlyMap<number, BlockWords>, held: KnownWords | undefined): WordList {
  const isContinued = held && [...held.blocks].every(([block, before]) => isIn(before, blocks.get(block)));
  const words = isContinued ? held.words : new WordList();
  for (const [block, read] of blocks) {
    if (isContinued && held.blocks.get(block) === read) continue;
    for (const [word, bare] of read.words) words.add(word, bare);
  }
  return words;
}

/**
 * Whether the words of all documents were read that have these lengths. A document has a length before it is finished, and its words
 * are read when it is.
 */
const isCurrent = ({ lengths, seqs, documents }: BlockWords, now: Float64Array): boolean =>
  seqs.size === documents && (lengths === now || now.every((length, at) => length === lengths[at]));

/** Whether a block still has all documents that it had before. */
const isIn = (before: BlockWords, now: BlockWords | undefined): boolean =>
  now === before || (now !== undefined && hasAll(now.seqs, before));

const hasAll = (seqs: ReadonlySet<number>, before: BlockWords): boolean =>
  [...before.seqs].every((seq) => seqs.has(seq));

/** The documents of a block that are not too long. */
function seqsOf(block: number, lengths: Float64Array): number[] {
  return Array.from(lengths).flatMap((length, offset) =>
    length > 0 && length <= most.wordsOfOne ? [block * 2 ** postingBits + offset] : [],
  );
}

/** @param known what was read of the block before */
async function wordsOfBlock(
  tx: Transaction,
  namespaceId: string,
  known: BlockWords | undefined,
  block: number,
  lengths: Float64Array,
): Promise<BlockWords> {
  const listed = seqsOf(block, lengths);
  // The words of a document never change. If one is gone, some words may be gone with it; otherwise only new ones are read.
  const kept = known && hasAll(new Set(listed), known) ? known : undefined;
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
  await yieldToOthers();
  const size = lengths.reduce((sum, length) => sum + (length <= most.wordsOfOne ? length : 0), 0);
  return { lengths, documents: listed.length, size, seqs, words };
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
