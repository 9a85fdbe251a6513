/** The number of faults of one kind that are named. A table that is gone as a whole would name every row. */
export const namedFaults = 100;

/**
 * Takes a fault that a check has found, as a sentence that names the place. The check continues behind it.
 * @param kind what is faulty, for people: a table, or a part of one
 */
export type OnFault = (kind: string, fault: string) => void;

/** The faults that a check has found so far. */
export interface Faults {
  readonly found: OnFault;
  /**
   * Runs a part of a check. An error in it is a fault, too, when faults were found: it is taken for their consequence.
   * @param what the part, for people
   * @throws what `work` throws, when no fault was found
   */
  attempt(what: string, work: () => Promise<void>): Promise<void>;
  /** Whether there is none. */
  isEmpty(): boolean;
  /** How many were found, also those that are not named. */
  count(): number;
  /** Takes the faults that another collection has, behind its own. */
  take(others: Faults): void;
  /** The faults by kind, with those that are named. */
  byKind(): ReadonlyMap<string, FaultsOfKind>;
  /** A line for each fault, the kinds in the order in which they were met; null when there is none. */
  lines(): string | null;
}

interface FaultsOfKind {
  /** The first ones. */
  readonly named: readonly string[];
  readonly count: number;
}

export function collectFaults(): Faults {
  const kinds = new Map<string, { readonly named: string[]; count: number }>();
  const add = (kind: string, { named, count }: FaultsOfKind) => {
    const ofKind = kinds.get(kind) ?? { named: [], count: 0 };
    kinds.set(kind, ofKind);
    ofKind.count += count;
    ofKind.named.push(...named.slice(0, namedFaults - ofKind.named.length));
  };
  const found: OnFault = (kind, fault) => add(kind, { named: [fault], count: 1 });
  return {
    found,
    async attempt(what, work) {
      try {
        await work();
      } catch (error) {
        if (kinds.size === 0) throw error;
        const message = error instanceof Error ? error.message : String(error);
        found(what, `The check of ${what} could not be finished because of the other faults: ${message}`);
      }
    },
    isEmpty: () => kinds.size === 0,
    take: (others) => {
      for (const [kind, faults] of others.byKind()) add(kind, faults);
    },
    byKind: () => kinds,
    count: () => [...kinds.values()].reduce((sum, { count }) => sum + count, 0),
    lines() {
      if (kinds.size === 0) return null;
      return [...kinds]
        .flatMap(([kind, { named, count }]) =>
          count === named.length
            ? named
            : [...named, `More faults were found in: ${kind}. The first ${named.length} are named.`],
        )
        .join('\n');
    },
  };
}
