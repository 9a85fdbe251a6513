import { symbolOf } from '../../public-name.js';
import { timeText } from '../feeds/head.js';
import { quantile } from '../latency.js';
import { toMicros } from '../numbers/exact.js';
import { type Figure, figureAsStated, rate } from '../numbers/figure.js';
import { byCodePoint, type Compare } from '../numbers/lists.js';
import type { Market } from '../state/market.js';
import type { Measured, ServiceLevel, Sla } from '../state/service-levels.js';

interface Result {
  /** As it is printed: whole milliseconds, or a rate; null without a receipt that it can be measured over. */
  readonly measured: Figure | number | null;
  readonly state: 'met' | 'breached' | 'running';
}

/** A period that has not ended is running, however it was until now. */
function resultOf(market: Market, level: ServiceLevel): Result {
  const { said } = level.newest;
  const measured = measure(said, market.serviceLevels.measured(level));
  if (market.t < level.range.toMs) return { measured, state: 'running' };
  return { measured, state: isBreached(said, measured) ? 'breached' : 'met' };
}

function measure({ metric }: Sla, { successes, failures, latencies }: Measured): Figure | number | null {
  return metric === 'success_rate' ? rate(successes, successes + failures) : quantile(latencies, 95);
}

/** Both are compared as they are printed. */
function isBreached({ metric, target }: Sla, measured: Figure | number | null): boolean {
  if (measured === null) return false;
  const printed = Number(String(measured));
  return metric === 'success_rate' ? printed < target : printed > target;
}

/** The latest end of a period first, then by id and agent. */
export const byLatestEnd: Compare<ServiceLevel> = (a, b) =>
  b.range.toMs - a.range.toMs ||
  byCodePoint(a.newest.said.sla_id, b.newest.said.sla_id) ||
  byCodePoint(a.range.agent, b.range.agent);

export function serviceLevelRow(market: Market, level: ServiceLevel) {
  const { newest, range } = level;
  const { sla_id, capability, metric, target, penalty_usd } = newest.said;
  return {
    sla_id,
    agent: range.agent,
    symbol: symbolOf(capability),
    metric,
    target: figureAsStated(target),
    ...resultOf(market, level),
    penalty_usd: figureAsStated(penalty_usd),
    period_start: timeText(range.fromMs),
    period_end: timeText(range.toMs),
    receipt_hash: newest.hash,
  };
}

/** The penalties of the service levels that were breached and whose period ended in 30 days, in millionths of a dollar. */
export function penalties(market: Market): bigint {
  const breached = market.serviceLevels.at(market.t).filter((level) => resultOf(market, level).state === 'breached');
  return breached.reduce((sum, { newest }) => sum + BigInt(toMicros(newest.said.penalty_usd)), 0n);
}
