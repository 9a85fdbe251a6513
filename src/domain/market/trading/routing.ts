import { symbolOf } from '../../public-name.js';
import { quantile } from '../latency.js';
import { divideHalfEven, type Quotient, sumOfRatios } from '../numbers/exact.js';
import { Figure, money } from '../numbers/figure.js';
import { byAmountDown, byCodePoint, type Compare, firstOf } from '../numbers/lists.js';
import { feeParts } from '../state/fills.js';
import type { Market } from '../state/market.js';
import { type Sums, successRate } from '../state/sums.js';
import type { CapabilityGroup } from '../state/task-groups.js';
import { quotedPrices } from './desk.js';

/** An agent that may be given work of a capability. */
interface Candidate {
  readonly agent: string;
  /** In millionths of a dollar, as it is printed. */
  readonly price: bigint;
  /** Its tasks of this capability of 30 days. */
  readonly month: Sums;
}

/** The capabilities for which there is a candidate, the largest notional of 24 hours first. */
export function routes(market: Market) {
  const quoted = quotedPrices(market.desk, market.t);
  const found = [...market.tasks.capabilities].flatMap(([capability, group]) => {
    const candidates = candidatesOf(group, quoted.get(capability) ?? new Map());
    return candidates.length === 0
      ? []
      : [{ symbol: symbolOf(capability), capability, notional: group.day.notional, candidates }];
  });
  return found.sort((a, b) => byAmountDown(a.notional, b.notional) || byCodePoint(a.symbol, b.symbol));
}

/** The agents with a price and at least one success. */
function candidatesOf({ agents }: CapabilityGroup, quoted: ReadonlyMap<string, bigint>): Candidate[] {
  const found: Candidate[] = [];
  for (const [agent, { day, month }] of agents) {
    const mean = day.costed === 0 ? undefined : divideHalfEven(day.notional, BigInt(day.costed));
    const quote = quoted.get(agent);
    const price = mean === undefined || (quote !== undefined && quote < mean) ? quote : mean;
    if (price !== undefined && month.successes > 0) found.push({ agent, price, month });
  }
  return found;
}

const alternatives = 3;

export function routeRow({ capability, candidates }: ReturnType<typeof routes>[number]) {
  const [best, ...others] = firstOf(candidates, 1 + alternatives, byEffectivePrice).rows;
  if (best === undefined) throw new Error(`${capability} has no candidate`);
  const fee = divideHalfEven(best.price * feeParts.part, feeParts.whole);
  return {
    capability,
    best: candidateRow(best),
    alternatives: others.map(candidateRow),
    fee_usd: money(fee),
    all_in_usd: money(best.price + fee),
    saving_pct: savingOf(best, candidates),
  };
}

/** Price / success_rate: what a success costs, as failures are paid for too. */
const effectivePrice = ({ price, month: { successes, failures } }: Candidate): Quotient => ({
  part: price * BigInt(successes + failures),
  whole: BigInt(successes),
});

/** Without division, so that equal prices are found to be equal. */
const byEffectivePrice: Compare<Candidate> = (a, b) => {
  const [x, y] = [effectivePrice(a), effectivePrice(b)];
  return byAmountDown(y.part * x.whole, x.part * y.whole) || byCodePoint(a.agent, b.agent);
};

const candidateRow = ({ agent, price, month }: Candidate) => ({
  agent,
  unit_price_usd: money(price),
  success_rate: successRate(month),
  latency_p95_ms: quantile(month.latencies, 95),
});

/** 100 × (1 − best / mean) of the prices for a success; null with one candidate, and where the mean is 0. */
function savingOf(best: Candidate, candidates: readonly Candidate[]): Figure | null {
  const lowest = effectivePrice(best);
  const sum = sumOfRatios(candidates.map(effectivePrice));
  if (candidates.length === 1 || sum.part === 0n) return null;
  const whole = sum.part * lowest.whole;
  const part = whole - BigInt(candidates.length) * lowest.part * sum.whole;
  return new Figure(divideHalfEven(100n * 1_000_000n * part, whole), 6);
}
