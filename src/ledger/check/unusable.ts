/** The number of entries and of texts that may be left out; a ledger with more of them explains nothing about read models. */
const maxLeftOut = 1000;

/** Entries and texts that a check leaves out of the replay of read models: other rows would follow from them than from what was recorded. */
export interface LeftOut {
  /** The numbers of entries, by chain. */
  readonly entries: ReadonlyMap<string, ReadonlySet<number>>;
  /** The receipts whose texts are left out. */
  readonly deposits: ReadonlySet<string>;
}

/** Collects entries whose bytes are not those that were recorded, and texts that are not those of their entries. */
export interface Unusable {
  entry(chain: string, seq: number): void;
  deposit(receiptId: string): void;
  /** Null when there is more than can be left out. */
  leftOut(): LeftOut | null;
}

export function collectUnusable(): Unusable {
  const entries = new Map<string, Set<number>>();
  const deposits = new Set<string>();
  let count = 0;
  const isFull = () => {
    count += 1;
    return count > maxLeftOut;
  };
  return {
    entry(chain, seq) {
      if (!isFull()) entries.set(chain, (entries.get(chain) ?? new Set()).add(seq));
    },
    deposit(receiptId) {
      if (!isFull()) deposits.add(receiptId);
    },
    leftOut: () => (count > maxLeftOut ? null : { entries, deposits }),
  };
}
