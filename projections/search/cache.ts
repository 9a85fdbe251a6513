import { getHeapStatistics } from 'node:v8';
import { BoundedCache } from '../../src/base/bounded-cache.js';
import type { WordList } from '../../src/domain/word-list.js';
import type { Compared } from './comparison.js';
import type { RankedMemory, StoredPlace } from './place.js';
import type { Lengths, PostingList } from './posting-list.js';
import type { Recent } from './recent.js';
import type { Slab } from './slab.js';
import type { Reach } from './states.js';

export type { Lexeme, Term } from './term.js';

/**
 * Keeps in memory what earlier searches read from the index. There is one cache for each database, because versions of rows
 * have a meaning in their own database only. A cached value is used only while the database still has the same versions of
 * the rows that it was made from, so that the cache changes the speed of a search and never its result.
 */
export interface SearchCache {
  /** The tokens of queries in a namespace. */
  readonly tokens: BoundedCache<CachedToken>;
  /** The hashes of lexemes in a namespace. */
  readonly lexemes: BoundedCache<HashedLexeme>;
  /** The newest documents, which are not in blocks, by namespace: see recent.ts. */
  readonly recent: BoundedCache<Recent>;
  /** The stored blocks of buckets, one after the other: see stored-buckets.ts. */
  readonly buckets: BoundedCache<Reach & { readonly bytes: Buffer }>;
  /** The documents that hold a word, by the hash of the word in its namespace; null where there is none. */
  readonly postings: BoundedCache<HeldList>;
  /** The lengths of all documents, by namespace. */
  readonly lengths: BoundedCache<HeldLengths>;
  /** The codes of a model in a namespace. */
  readonly slabs: BoundedCache<HeldCodes>;
  /** The memories that fail a filter, by namespaces and filter. */
  readonly failing: BoundedCache<Failing>;
  /** Memories by namespace and number. */
  readonly memories: BoundedCache<RankedMemory>;
  /** The memories that pass a filter, as far as searches have compared them, by namespace and filter. */
  readonly compared: BoundedCache<Compared>;
  /** The most bytes of one namespace and filter there. With more, searches begin again to find out. */
  readonly mostCompared: number;
  /** The vectors of memories with few chunks, by namespace and number, for that version of the document. */
  readonly vectors: BoundedCache<CachedVectors>;
  /** The invalidated memories that pass a filter but for that, by namespaces and filter. */
  readonly invalidated: BoundedCache<{ readonly base: string; readonly memories: readonly StoredPlace[] }>;
  /** The words of namespaces. */
  readonly vocabularies: BoundedCache<KnownWords>;
}

export interface HeldList extends Reach {
  readonly list: PostingList | null;
}

export interface HeldLengths extends Reach {
  readonly lengths: Lengths;
}

/** Codes in memory, and how far they have come; undefined before they were read. */
export interface HeldCodes {
  readonly slab: Slab;
  reach: Reach | undefined;
}

/** The words of the newest documents of a namespace, without those that are never similar to others. */
export interface KnownWords extends Reach {
  /** By block, the newest first. */
  readonly blocks: ReadonlyMap<number, BlockWords>;
  /** The words of all of them, as the index has them. */
  readonly words: WordList;
}

/** The words of the documents of a block. */
export interface BlockWords {
  /** The lengths of the documents that the block had. */
  readonly lengths: Float64Array;
  /** The number of these documents that are not too long, and of their words, with repetitions. */
  readonly documents: number;
  readonly size: number;
  /** The numbers of the documents whose words were read. */
  readonly seqs: ReadonlySet<number>;
  readonly words: ReadonlyMap<string, string>;
}

/** The vectors that a memory has of a model. */
export interface CachedVectors {
  readonly model: string;
  readonly version: string;
  readonly vectors: readonly Float32Array[];
}

/** A token in a namespace: its lexeme, null for a stop word. */
export interface CachedToken {
  readonly textConfig: string;
  readonly hashed: HashedLexeme | null;
}

/** A lexeme, its hash in a namespace, and the bucket that holds its postings. */
export interface HashedLexeme {
  readonly lexeme: string;
  readonly term: string;
  readonly bucket: string;
}

/**
 * A quarter of a gigabyte, or an eighth of what Node may use for objects where that is less: all caches together have three and a half
 * times as much when they are full, a third of it objects.
 */
const usual = Math.min(256 * 2 ** 20, getHeapStatistics().heap_size_limit / 8);

/**
 * @param capacity in bytes, for codes; the other caches have a fraction of it. 100,000 memories of 256 dimensions have 40 MB of
 * codes. Of memories, comparisons and vectors the usual capacity has room for 100,000 memories too: with a half, a half and a quarter of
 * it, a search for new words among them read 230 memories, their neighbours and 70 vectors from the database, and cost twice as much.
 */
export const searchCache = (capacity = usual): SearchCache => ({
  tokens: new BoundedCache(capacity / 16),
  lexemes: new BoundedCache(capacity / 16),
  recent: new BoundedCache(capacity / 8),
  buckets: new BoundedCache(capacity / 8),
  postings: new BoundedCache(capacity / 2),
  lengths: new BoundedCache(capacity / 8),
  slabs: new BoundedCache(capacity),
  failing: new BoundedCache(capacity / 16),
  memories: new BoundedCache(capacity / 4),
  compared: new BoundedCache(capacity / 2),
  mostCompared: (3 * capacity) / 8,
  vectors: new BoundedCache(capacity / 2),
  invalidated: new BoundedCache(capacity / 64),
  vocabularies: new BoundedCache(capacity / 8),
});

/**
 * The memories that are known to fail a filter, by their numbers. A memory that fails continues to fail, because the fields
 * that filters use never change, and the key of a filter changes when an invalidated memory is reinstated. Nothing is known about memories that were written or moved here later.
 */
export interface Failing {
  bits: Uint32Array;
  /** The number of look-ups of memories that did not pass, since all memories were compared. */
  wasted: number;
}
