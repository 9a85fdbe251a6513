import type Fraction from 'fraction.js';
import type { Fact } from '../fact.js';
import { type Figure, rate, ratio } from '../numbers/figure.js';

/** Sums over tasks. Sums of disjoint sets of tasks can be added, and a task can be taken away again. */
export interface Sums {
  tasks: number;
  successes: number;
  /** Tasks with the status partial or error. */
  failures: number;
  /** Tasks with the status tool_denied or policy_blocked. */
  refusals: number;
  /** Tasks that called tools outside their declared scope. */
  violated: number;
  /** Tasks of any status that state a cost. */
  costed: number;
  /** Successes that state a cost. */
  quantity: number;
  /** The costs of all tasks in millionths of a dollar. */
  notional: bigint;
  /** Bucket of the latency → number of tasks that were not refused. */
  readonly latencies: Map<number, number>;
}

export const noSums = (): Sums => ({
  tasks: 0,
  successes: 0,
  failures: 0,
  refusals: 0,
  violated: 0,
  costed: 0,
  quantity: 0,
  notional: 0n,
  latencies: new Map(),
});

/** The facts of a task that sums are made of. */
export type SummedFact = Pick<Fact, 'status' | 'scope_violated' | 'cost_micros' | 'latency_bucket'>;

/** Adds a task, or takes it away. */
export function addTask(sums: Sums, fact: SummedFact, by: 1 | -1): void {
  const isRefusal = fact.status === 'tool_denied' || fact.status === 'policy_blocked';
  sums.tasks += by;
  if (fact.status === 'success') sums.successes += by;
  else if (isRefusal) sums.refusals += by;
  else sums.failures += by;
  if (fact.scope_violated) sums.violated += by;
  if (fact.cost_micros !== null) {
    sums.costed += by;
    if (fact.status === 'success') sums.quantity += by;
    sums.notional += BigInt(by * fact.cost_micros);
  }
  if (!isRefusal) addCount(sums.latencies, fact.latency_bucket, by);
}

/** Counts up or down; a key with the count 0 is removed, so that the map holds what is there. */
export function addCount<K>(counts: Map<K, number>, key: K, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

/** Successes among successes and failures. Refusals are neither. */
export const successRate = ({ successes, failures }: Sums): Figure | null => rate(successes, successes + failures);

export const refusalRate = ({ refusals, tasks }: Sums): Figure | null => rate(refusals, tasks);

export const violationRate = ({ violated, tasks }: Sums): Figure | null => rate(violated, tasks);

/** Dollars for one success that states a cost, exactly. Failures are paid for too. */
export const price = (sums: Sums): Fraction | null => ratio(sums.notional, microsOf(sums));

/** The price as it is printed. */
export const priceUsd = (sums: Sums): Figure | null => rate(sums.notional, microsOf(sums));

const microsOf = ({ quantity }: Sums): bigint => BigInt(quantity) * 1_000_000n;
