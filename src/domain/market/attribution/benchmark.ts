import type Fraction from 'fraction.js';
import { symbolOf } from '../../public-name.js';
import { type Count, type Figure, percent } from '../numbers/figure.js';
import { byCodePoint } from '../numbers/lists.js';
import { price } from '../state/sums.js';
import type { CapabilityGroup, TaskGroups } from '../state/task-groups.js';

export interface Benchmark {
  readonly capability: string;
  readonly agent: string;
  readonly price: Fraction;
  /** The share of the other agents that are more expensive, in percent; null without others. */
  readonly percentile: Figure | null;
  readonly median: Fraction;
}

interface Priced {
  readonly agent: string;
  readonly price: Fraction;
}

/** The prices of the agents of each capability, by symbol, price and agent. */
export function benchmarkOf({ capabilities }: Pick<TaskGroups, 'capabilities'>): Benchmark[] {
  return [...capabilities]
    .sort(([a], [b]) => byCodePoint(symbolOf(a), symbolOf(b)))
    .flatMap(([capability, group]) => rowsOf(capability, pricesOf(group)));
}

/** The agents with successes that state a cost, the cheapest first. */
function pricesOf({ agents }: CapabilityGroup): Priced[] {
  const found: Priced[] = [];
  for (const [agent, { month }] of agents) {
    const ofAgent = price(month);
    if (ofAgent !== null) found.push({ agent, price: ofAgent });
  }
  return found.sort((a, b) => a.price.compare(b.price) || byCodePoint(a.agent, b.agent));
}

function rowsOf(capability: string, prices: readonly Priced[]): Benchmark[] {
  const median = medianOf(prices);
  if (median === null) return [];
  const others: Count = prices.length - 1;
  const rows: Benchmark[] = [];
  let above = 0;
  for (let at = prices.length - 1; at >= 0; at -= 1) {
    const row = prices[at];
    const next = prices[at + 1];
    if (row === undefined) continue;
    // Agents with the same price have the same number of more expensive ones.
    if (next !== undefined && next.price.compare(row.price) > 0) above = prices.length - 1 - at;
    rows.push({ capability, ...row, percentile: percent(above, others), median });
  }
  return rows.reverse();
}

/** The middle price, or the mean of the two in the middle; null where there are none. */
function medianOf(prices: readonly Priced[]): Fraction | null {
  const [low, high] = [prices[(prices.length - 1) >> 1], prices[prices.length >> 1]];
  return low === undefined || high === undefined ? null : low.price.add(high.price).div(2);
}
