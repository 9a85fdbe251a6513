import type { Fact } from '../../src/domain/market/fact.js';
import { advance, type Chain, noChain } from '../../src/domain/market/indices/chain.js';
import { type DayFacts, foldDay } from '../../src/domain/market/indices/day-facts.js';
import { startOf } from '../../src/domain/market/indices/days.js';
import { latencyBucket } from '../../src/domain/market/latency.js';
import { chance } from './economy/chance.js';
import { table } from './machine.js';

const days = 35;
const tasksOfDay = 200;
const capabilities = 40;
const firstDay = 20_000;

/**
 * The composite of a stationary economy after 35 days: 200 tasks a day, of capabilities of which most are so rare that they come
 * and go by chance, at prices that vary around a mean of their own. Nothing grows, so the true level is 1000. It is chained from
 * the cells of single days, and from those of seven days as the service does it.
 */
export async function benchStationary(economies: number): Promise<void> {
  const rows: string[][] = [];
  for (const [name, of] of [
    ['single days', singleDays],
    ['seven days', sevenDays],
  ] as const) {
    const levels = Array.from({ length: economies }, (_, seed) => of(stationary(seed + 1))).sort((a, b) => a - b);
    const at = (q: number) => (levels[Math.min(levels.length - 1, Math.floor(q * levels.length))] ?? 0).toFixed(0);
    rows.push([name, at(0), at(0.25), at(0.5), at(0.75), at(1)]);
  }
  console.log(table([['cells of', 'least', 'a quarter', 'median', 'three quarters', 'most'], ...rows]));
}

/** The facts of each day. */
export function stationary(seed: number): DayFacts[] {
  const { around, happens, weighted } = chance(seed, 'stationary');
  const offered = Array.from({ length: capabilities }, (_, at) => [{ at, price: around(1, 1) }, 1 / (at + 1)] as const);
  return Array.from({ length: days + 1 }, (_, at) => {
    const day = firstDay + at;
    const fold = foldDay(day);
    for (let task = 0; task < tasksOfDay; task += 1) {
      const { at: capability, price } = weighted(offered);
      fold.add(fact(day, task, capability, around(price, 0.5), happens(0.9)));
    }
    return fold.facts();
  });
}

type Added = Pick<
  Fact,
  'hash' | 'vendor' | 'capability' | 'status' | 'scope_violated' | 'cost_micros' | 'latency_bucket'
>;

const fact = (day: number, task: number, capability: number, cost: number, succeeds: boolean): Added => ({
  hash: (startOf(day) + task).toString(16).padStart(64, '0'),
  vendor: 'Acme',
  capability: `capability-${capability}`,
  status: succeeds ? 'success' : 'error',
  scope_violated: false,
  cost_micros: Math.round(cost * 1e6),
  latency_bucket: latencyBucket(1000),
});

const composite = ({ indices }: Chain): number => indices.get('CFX')?.level?.toNumber() ?? 0;

export function sevenDays(facts: readonly DayFacts[]): number {
  let chain = noChain;
  for (const one of facts) chain = advance(chain, one, new Map());
  return composite(chain);
}

/** The same chain with cells of one day: no day before it is in its cells. */
export function singleDays(facts: readonly DayFacts[]): number {
  let chain = noChain;
  for (const one of facts) chain = { ...advance(chain, one, new Map()), recent: [] };
  return composite(chain);
}
