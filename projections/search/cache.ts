import { BoundedCache } from '../../src/base/bounded-cache.js';
import type { Features } from '../../src/domain/likeness/features.js';
import type { Compared } from './comparison.js';
import type { RankedMemory, StoredPlace } from './place.js';
import type { Bucket } from './posting-list.js';
import type { Slab } from './slab.js';
import type { Term } from './term.js';

export type { Lexeme, Term } from './term.js';

/**
 * Keeps in memory what earlier searches read from the index. There is one cache for each database, because versions of rows
 * have a meaning in their own database only. A cached value is used only while the database still has the same versions of
 * the rows that it was made from, so that the cache changes the speed of a search and never its result.
 */
export interface SearchCache {
  /** The tokens of queries in a namespace, for that version of the namespace. */
  readonly terms: BoundedCache<CachedToken>;
  /** The terms of words that are spelt like those of queries, in the same way. */
  readonly similar: BoundedCache<{ readonly version: string; readonly term: Term | null }>;
  /** The stored blocks of postings and lengths, by bucket. */
  readonly postings: BoundedCache<Bucket>;
  readonly slabs: BoundedCache<Slab>;
  /** The memories that fail a filter, by namespaces and filter. */
  readonly failing: BoundedCache<Failing>;
  /** Memories by namespace and number. */
  readonly memories: BoundedCache<RankedMemory>;
  /** The memories that pass a filter, as far as searches have compared them, by namespace and filter. */
  readonly compared: BoundedCache<Compared>;
  /** The vectors of memories with few chunks, by namespace and number, for that version of the document. */
  readonly vectors: BoundedCache<CachedVectors>;
  /** The features of short texts, by memory. */
  readonly features: BoundedCache<readonly Features[]>;
  /** The invalidated memories that pass a filter but for that, by namespaces and filter. */
  readonly invalidated: BoundedCache<{ readonly version: string; readonly memories: readonly StoredPlace[] }>;
  /** The words of blocks, by namespace and block. */
  readonly words: BoundedCache<BlockWords>;
  /** The words of namespaces, for that version of each. */
  readonly vocabularies: BoundedCache<{ readonly version: string; readonly words: ReadonlyMap<string, string> }>;
  /** The existing blocks of codes, by model and namespaces, for that version of these namespaces. */
  readonly lists: Map<string, { readonly version: string; readonly spaces: readonly Space[] }>;
}

/** The vectors that a memory has of a model. */
export interface CachedVectors {
  readonly model: string;
  readonly version: string;
  readonly vectors: readonly Float32Array[];
}

/** A token in a namespace: its lexeme, null for a stop word, and its term, null where no memory has it. */
export interface CachedToken {
  readonly version: string;
  readonly textConfig: string;
  readonly lexeme: string | null;
  readonly term: Term | null;
}

/** The blocks of one vector space of one namespace, and the versions of their rows. */
export interface Space {
  readonly space: string;
  readonly namespaceId: string;
  readonly blocks: ReadonlyMap<number, string>;
}

/**
 * @param capacity in bytes, for codes; the other caches have a fraction of it. 100,000 memories of 256 dimensions have 40 MB of
 * codes
 */
export const searchCache = (capacity = 256 * 2 ** 20): SearchCache => ({
  terms: new BoundedCache(capacity / 8),
  similar: new BoundedCache(capacity / 16),
  postings: new BoundedCache(capacity / 4),
  slabs: new BoundedCache(capacity),
  failing: new BoundedCache(capacity / 16),
  memories: new BoundedCache(capacity / 8),
  compared: new BoundedCache(capacity / 4),
  vectors: new BoundedCache(capacity / 8),
  features: new BoundedCache(capacity / 16),
  invalidated: new BoundedCache(capacity / 64),
  words: new BoundedCache(capacity / 8),
  vocabularies: new BoundedCache(capacity / 16),
  lists: new Map(),
});

/** The words of the documents of a block, without those that are never similar to others. */
export interface BlockWords {
  /** The version of the row that lists the documents of the block. */
  readonly version: string;
  /** The numbers of these documents. */
  readonly seqs: ReadonlySet<number>;
  /** Each word once, as the index has it, with its form without accents. */
  readonly words: ReadonlyMap<string, string>;
}

/**
 * The memories that are known to fail a filter, by their numbers. A memory that fails continues to fail, because the fields
 * that filters use never change, and the key of a filter changes when an invalidated memory is reinstated. Nothing is known about memories that were written or moved here later.
 */
export interface Failing {
  bits: Uint32Array;
  /** The number of look-ups of memories that did not pass, since all memories were compared. */
  wasted: number;
}
