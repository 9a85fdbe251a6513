/** Keeps values up to a limit of their sizes together. When it is full, it removes the least recently used values first. */
export class BoundedCache<T> {
  readonly #capacity: number;
  readonly #values = new Map<string, { readonly value: T; readonly size: number }>();
  #held = 0;

  /** @param capacity in the unit of the sizes: a number of bytes, or of values where each has the size 1 */
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
  set(key: string, value: T, size = 1): void {
    this.#held += size - (this.#values.get(key)?.size ?? 0);
    this.#values.delete(key);
    this.#values.set(key, { value, size });
    for (const [oldest, { size: freed }] of this.#values) {
      if (this.#held <= this.#capacity || oldest === key) return;
      this.#values.delete(oldest);
      this.#held -= freed;
    }
  }
}
