/** Sets of values under keys. A key without values takes no memory. */
export class SetsByKey<V> {
  readonly #sets = new Map<string, Set<V>>();

  add(key: string, value: V): void {
    const values = this.#sets.get(key);
    if (values) values.add(value);
    else this.#sets.set(key, new Set([value]));
  }

  remove(key: string, value: V): void {
    const values = this.#sets.get(key);
    values?.delete(value);
    if (values?.size === 0) this.#sets.delete(key);
  }

  of(key: string): Iterable<V> {
    return this.#sets.get(key) ?? [];
  }

  keys(): Iterable<string> {
    return this.#sets.keys();
  }
}
