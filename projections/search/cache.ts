import type { Row, Transaction } from '../../src/adapters/database/database.js';
import type { Failing } from './passing.js';
import type { Postings } from './postings.js';
import type { Slab } from './slab.js';
import type { Term } from './terms.js';

/**
 * What was read of the index before, in memory. One for each database, as versions of rows are its own. It is only ever a
 * saving: what is kept is used while the database still holds the very versions of the rows that it was made of.
 */
export interface SearchCache {
  /** The facts about a word in a namespace of that version. */
  readonly terms: BoundedCache<{ readonly version: string; readonly terms: readonly Term[] }>;
  readonly postings: BoundedCache<{ readonly version: string; readonly postings: Postings }>;
  readonly slabs: BoundedCache<Slab>;
  /** Which memories fail a filter, by the namespaces and the filter. */
  readonly failing: BoundedCache<Failing>;
  /** Which blocks of codes there are, by the query, while the namespaces of the query are of the same version. */
  readonly lists: Map<string, { readonly version: string; readonly spaces: readonly Space[] }>;
}

/** The blocks of one vector space of one namespace, and the versions of their rows. */
export interface Space extends Record<string, unknown> {
  space: string;
  namespace_id: string;
  blocks: number[];
  versions: string[];
}

/** @param capacity in bytes, for postings and for codes; 100,000 memories of 256 dimensions have 40 MB of codes */
export const searchCache = (capacity = 256 * 2 ** 20): SearchCache => ({
  terms: new BoundedCache(capacity / 16),
  postings: new BoundedCache(capacity / 4),
  slabs: new BoundedCache(capacity),
  failing: new BoundedCache(capacity / 16),
  lists: new Map(),
});

/** Values by key, of which the one that was not used for the longest time goes when there is no more room. */
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

  /** The newest value stays even when it is larger than all the room there is. */
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

/** SQL of the version of a row. It is another one in a table that was rebuilt, and when the row was written again. */
export const versionOf = (row: string): string =>
  `${row}.tableoid::text || ' ' || ${row}.xmin::text || ' ' || ${row}.ctid::text`;

interface NamespaceVersion extends Row {
  id: string;
  version: string;
}

/** Every change in the index of a namespace makes a new version of its row. Ordered by id. */
export function namespaceVersions(tx: Transaction, namespaceIds: readonly string[]): Promise<NamespaceVersion[]> {
  return tx.query<NamespaceVersion>(
    `select n.namespace_id::text as id, ${versionOf('n')} as version
       from search_namespaces n where n.namespace_id = any($1::uuid[]) order by 1`,
    [namespaceIds],
  );
}
