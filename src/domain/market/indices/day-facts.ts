import { openFrontier } from '../../../verifier/frontier.js';
import type { Fact } from '../fact.js';
import { addTask, noSums, type SummedFact, type Sums } from '../state/sums.js';

export type DayCounts = Pick<Sums, 'tasks' | 'successes' | 'failures' | 'refusals' | 'quantity' | 'notional'>;
export type DaySums = DayCounts & Pick<Sums, 'latencies'>;

/** The facts of the on-time receipts of one day, from which its indices are computed. */
export interface DayFacts {
  /** Whole days since 1970. */
  readonly day: number;
  /** The number of receipts, and the root (RFC 6962) over their hashes in recorded order, in hex. */
  readonly receipts: number;
  readonly root: string;
  /** Of all receipts, also those without a capability. */
  readonly total: DayCounts;
  readonly capabilities: ReadonlyMap<string, DaySums>;
  readonly vendors: ReadonlyMap<string, DayCounts>;
}

export interface DayFold {
  /** Adds an on-time receipt of the day. They must come in recorded order, which the root depends on. */
  add(fact: SummedFact & Pick<Fact, 'hash' | 'vendor' | 'capability'>): void;
  facts(): DayFacts;
}

/** Adds up the receipts of a day. The memory that it needs depends on the capabilities and vendors, and not on the receipts. */
export function foldDay(day: number): DayFold {
  const tree = openFrontier();
  const total = noSums();
  const [capabilities, vendors] = [new Map<string, Sums>(), new Map<string, Sums>()];
  return {
    add(fact) {
      tree.add(Uint8Array.from(Buffer.from(fact.hash, 'hex')));
      addTask(total, fact, 1);
      addTask(groupOf(vendors, fact.vendor), fact, 1);
      if (fact.capability !== null) addTask(groupOf(capabilities, fact.capability), fact, 1);
    },
    facts: () => ({
      day,
      receipts: tree.size(),
      root: Buffer.from(tree.root()).toString('hex'),
      total,
      capabilities,
      vendors,
    }),
  };
}

function groupOf(groups: Map<string, Sums>, name: string): Sums {
  const group = groups.get(name) ?? noSums();
  groups.set(name, group);
  return group;
}
