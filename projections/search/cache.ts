import { BoundedCache } from '../../src/base/bounded-cache.js';
import type { Row, Transaction } from '../../src/database/database.js';
import type { RankedMemory } from './place.js';
import type { Slab } from './slab.js';

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
  /** The stored blocks of postings, by bucket and block. */
  readonly postings: BoundedCache<{ readonly version: string; readonly entries: Buffer }>;
  readonly slabs: BoundedCache<Slab>;
  /** The memories that fail a filter, by namespaces and filter. */
  readonly failing: BoundedCache<Failing>;
  /** Memories by namespace and number. */
  readonly memories: BoundedCache<RankedMemory>;
  /** The words of blocks, by namespace and block. */
  readonly words: BoundedCache<BlockWords>;
  /** The words of namespaces, for that version of each. */
  readonly vocabularies: BoundedCache<{ readonly version: string; readonly words: ReadonlyMap<string, string> }>;
  /** The existing blocks of codes, by model and namespaces, for that version of these namespaces. */
  readonly lists: Map<string, { readonly version: string; readonly spaces: readonly Space[] }>;
}

/** A token in a namespace: its lexeme, null for a stop word, and its term, null where no memory has it. */
export interface CachedToken {
  readonly version: string;
  readonly textConfig: string;
  readonly lexeme: string | null;
  readonly term: Term | null;
}

/** The blocks of one vector space of one namespace, and the versions of their rows. */
export interface Space extends Record<string, unknown> {
  space: string;
  namespace_id: string;
  blocks: number[];
  versions: string[];
}

/**
 * @param capacity in bytes, for codes; the other caches have a fraction of it. 100,000 memories of 256 dimensions have 40 MB of
 * codes
 */
export const searchCache = (capacity = 256 * 2 ** 20): SearchCache => ({
  terms: new BoundedCache(capacity / 16),
  similar: new BoundedCache(capacity / 16),
  postings: new BoundedCache(capacity / 4),
  slabs: new BoundedCache(capacity),
  failing: new BoundedCache(capacity / 16),
  memories: new BoundedCache(capacity / 8),
  words: new BoundedCache(capacity / 8),
  vocabularies: new BoundedCache(capacity / 16),
  lists: new Map(),
});

/** A word of a query in one namespace. */
export interface Lexeme extends Row {
  word: string;
  namespace_id: string;
  /** The normal form of the word in the text configuration of the namespace. */
  lexeme: string;
  /** The number of documents of the namespace, and the number of words in all of them. */
  documents: number;
  length: number;
  /** The hash of the word in the index, and the bucket that holds its postings. */
  term: string;
  bucket: string;
}

/** A word of a query that is in the namespace, with its statistics. */
export interface Term extends Lexeme {
  /** ln(1 + (N − n + ½) / (n + ½)), Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009). */
  idf: number;
  /** The number of documents of the namespace that hold the word. */
  frequency: number;
  /** The blocks that hold the word, and the versions of their rows. */
  blocks: readonly number[];
  versions: readonly string[];
  /** The versions of the rows with the lengths of the documents of these blocks. */
  lengthVersions: readonly string[];
  /** From 0 to 1: how much it counts. 1 for a word as the query has it. */
  share: number;
  /** Whether it is only spelt like a word of the query. */
  isSimilar: boolean;
}

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

/** SQL of the version of a row. A row that was written again, or whose table was rebuilt, has another version. */
export const versionOf = (row: string): string =>
  `${row}.tableoid::text || ' ' || ${row}.xmin::text || ' ' || ${row}.ctid::text`;

interface NamespaceVersion extends Row {
  id: string;
  version: string;
}

const versionsIn = new WeakMap<Transaction, Map<string, Promise<NamespaceVersion[]>>>();

/**
 * Every change of the index of a namespace makes a new version of the namespace's row. A transaction asks once: words, similar words
 * and vectors need it at three places of a search. What is read later and is newer is only kept under an older version, which no
 * other transaction asks for. The result is ordered by id.
 */
export function namespaceVersions(tx: Transaction, namespaceIds: readonly string[]): Promise<NamespaceVersion[]> {
  const known = versionsIn.get(tx) ?? new Map<string, Promise<NamespaceVersion[]>>();
  versionsIn.set(tx, known);
  const key = namespaceIds.join(' ');
  const versions =
    known.get(key) ??
    tx.query<NamespaceVersion>(
      `select n.namespace_id::text as id, ${versionOf('n')} as version
         from search_namespaces n where n.namespace_id = any($1::uuid[]) order by 1`,
      [namespaceIds],
    );
  known.set(key, versions);
  return versions;
}
