interface Entry<T> {
  readonly key: string;
  value: T;
  size: number;
  /** The one that was used just before it, and the one that was used just after it. */
  older: Entry<T> | null;
  newer: Entry<T> | null;
}

/**
 * Keeps values up to a limit of their sizes together. When it is full, it removes the least recently used values first. Their order is
 * a chain: to take a key out of a map and to put it in again at each use cost a search more than all of its look-ups.
 */
export class BoundedCache<T> {
  readonly #capacity: number;
  readonly #values = new Map<string, Entry<T>>();
  #oldest: Entry<T> | null = null;
  #newest: Entry<T> | null = null;
  #held = 0;

  /** @param capacity in the unit of the sizes: a number of bytes, or of values where each has the size 1 */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string): T | undefined {
    const found = this.#values.get(key);
    if (!found) return undefined;
    this.#use(found);
    return found.value;
  }

  /** The newest value stays even if it alone is larger than the capacity. */
  set(key: string, value: T, size = 1): void {
    const known = this.#values.get(key);
    this.#held += size - (known?.size ?? 0);
    const kept = known ?? { key, value, size, older: null, newer: null };
    kept.value = value;
    kept.size = size;
    if (!known) this.#values.set(key, kept);
    this.#use(kept);
    for (let oldest = this.#oldest; oldest && this.#held > this.#capacity; oldest = this.#oldest) {
      if (oldest === kept) return;
      this.#values.delete(oldest.key);
      this.#takeOut(oldest);
      this.#held -= oldest.size;
    }
  }

  /** Puts it at the newest end of the chain. */
  #use(kept: Entry<T>): void {
    if (this.#newest === kept) return;
    if (kept.older !== null || kept.newer !== null) this.#takeOut(kept);
    kept.older = this.#newest;
    if (this.#newest) this.#newest.newer = kept;
    else this.#oldest = kept;
    this.#newest = kept;
  }

  #takeOut(kept: Entry<T>): void {
    if (kept.older) kept.older.newer = kept.newer;
    else this.#oldest = kept.newer;
    if (kept.newer) kept.newer.older = kept.older;
    else this.#newest = kept.older;
    kept.older = null;
    kept.newer = null;
  }
}
