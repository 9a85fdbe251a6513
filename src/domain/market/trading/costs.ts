import { toMicros } from '../exact.js';
import type { Fill } from '../state/fills.js';
import type { Market } from '../state/market.js';
import { monthMs } from '../state/windows.js';
import { resultOf } from './service-level.js';

/** The penalties of the service levels that were breached and whose period ended in 30 days, in millionths of a dollar. */
export function penalties(market: Market): bigint {
  const breached = market.serviceLevels.at(market.t).filter((level) => resultOf(market, level).state === 'breached');
  return breached.reduce((sum, { newest }) => sum + BigInt(toMicros(newest.said.penalty_usd)), 0n);
}

/** The fees of the confirmed fills of 30 days, in millionths of a dollar. */
export function fees(market: Market): bigint {
  const days = [...market.fills.between(market.t - monthMs, market.t)];
  return days.reduce((sum, fills) => sum + feesOf(fills), 0n);
}

/** Reported fills bear no fee. */
export const feesOf = (fills: readonly Fill[]): bigint => fills.reduce((sum, { fee }) => sum + (fee ?? 0n), 0n);
