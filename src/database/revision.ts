import type { Database, Transaction } from './database.js';

/**
 * A store of one process, and a number that grows with each transaction that may have written something. It grows when the
 * transaction has ended, so a reader who notes the number, reads the store, and reads it again when the number has grown misses
 * nothing.
 */
export function countingWrites<D extends Database>(store: D): { readonly store: D; revision(): number } {
  let writes = 0;
  return {
    store: {
      ...store,
      transaction: <T>(work: (tx: Transaction) => Promise<T>) =>
        store.transaction(work).finally(() => {
          writes += 1;
        }),
    },
    revision: () => writes,
  };
}

/** For a store to which other processes write too, so that it may be another one each time. */
export function everNew(): () => number {
  let asked = 0;
  return () => {
    asked += 1;
    return asked;
  };
}
