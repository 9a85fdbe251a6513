import type { BlockWords, Failing, Term } from './cached-values.js';
import type { Slab } from './slab.js';

/**
 * Keeps in memory what earlier searches read from the index. There is one cache for each database, because versions of rows
 * have a meaning in their own database only. A cached value is used only while the database still has the same versions of
 * the rows that it was made from, so that the cache changes the speed of a search and never its result.
 */
export interface SearchCache {
  /** The terms of a word in a namespace, for that version of the namespace. */
  readonly terms: BoundedCache<{ readonly version: string; readonly terms: readonly Term[] }>;
  /** The stored blocks of postings, by bucket and block. */
  readonly postings: BoundedCache<{ readonly version: string; readonly entries: Buffer }>;
  readonly slabs: BoundedCache<Slab>;
  /** The memories that fail a filter, by namespaces and filter. */
  readonly failing: BoundedCache<Failing>;
  /** The words of blocks, by namespace and block. */
  readonly words: BoundedCache<BlockWords>;
  /** The words of namespaces, for that version of each. */
  readonly vocabularies: BoundedCache<{ readonly version: string; readonly words: ReadonlyMap<string, string> }>;
  /** The existing blocks of codes, by model and namespaces, for that version of these namespaces. */
  readonly lists: Map<string, { readonly version: string; readonly spaces: readonly Space[] }>;
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
  postings: new BoundedCache(capacity / 4),
  slabs: new BoundedCache(capacity),
  failing: new BoundedCache(capacity / 16),
  words: new BoundedCache(capacity / 8),
  vocabularies: new BoundedCache(capacity / 16),
  lists: new Map(),
});

/** A cache with a limit of bytes. When it is full, it removes the least recently used values first. */
export class BoundedCache<T> {
  readonly #capacity: number;
  readonly #values = new Map<string, { readonly value: T; readonly bytes: number }>();
  #held = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string): T | undefined {
    const found = this.#values.get(key);
    if (!found) return undefined;
    this.#values.delete(key);
    this.#values.set(key, found);
    return found.value;
  }

  /** The newest value stays even if it alone is larger than the capacity. */
  set(key: string, value: T, bytes: number): void {
    this.#held += bytes - (this.#values.get(key)?.bytes ?? 0);
    this.#values.delete(key);
    this.#values.set(key, { value, bytes });
    for (const [oldest, { bytes: freed }] of this.#values) {
      if (this.#held <= this.#capacity || oldest === key) return;
      this.#values.delete(oldest);
      this.#held -= freed;
    }
  }
}
