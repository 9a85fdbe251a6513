import type { Decimal } from 'decimal.js';
import { Precise } from '../numbers/figure.js';
import type { Sums } from '../state/sums.js';
import { dayMs } from '../state/windows.js';
import type { Case } from './case.js';
import { type CaseStatement, outcomeOf } from './statement.js';

/** The quantile of the normal distribution that belongs to 95 %. */
const z = new Precise('1.959964');
const zz = z.times(z);

const lostWindowMs = 180 * dayMs;

/** How much one lost case takes from the trust of an agent. */
const impacts: Readonly<Record<CaseStatement['tier'], Decimal>> = {
  automated: new Precise('0.02'),
  panel: new Precise('0.05'),
  appeal: new Precise('0.08'),
};

/** The lower bound of the 95 % Wilson interval of a rate of success; null without observations. */
function wilson(successes: number, failures: number): Decimal | null {
  const n = new Precise(successes + failures);
  if (n.isZero()) return null;
  const root = zz.plus(new Precise(4 * successes).times(failures).div(n)).sqrt();
  return zz
    .plus(2 * successes)
    .minus(z.times(root))
    .div(n.plus(zz).times(2));
}

/** Trust without any dispute, from 0 to 100: how often the agent succeeds, and how often it stays in its scope. */
export function conduct({ successes, failures, violated, tasks }: Sums): Decimal | null {
  const bound = wilson(successes, failures);
  return bound === null
    ? null
    : bound
        .times(100)
        .times(tasks - violated)
        .div(tasks);
}

/** Whether a case was lost in the 180 days before t. */
export function isLostAt({ state }: Case, t: number): boolean {
  const { resolvedMs } = state;
  return outcomeOf(state) === 'lost' && resolvedMs !== null && resolvedMs > t - lostWindowMs && resolvedMs <= t;
}

/** The part of trust that one lost case takes, from 0 to 1. */
function impactOf({ tier, claimType, ruling }: CaseStatement): Decimal {
  const ofClaim = impacts[tier].times(claimType === 'fraud' ? 2 : 1);
  return ruling === 'split' ? ofClaim.div(2) : ofClaim;
}

/** The part of trust that lost cases leave: the product of 1 − impact. */
function remaining(lost: Iterable<Case>): Decimal {
  const counts = new Map<string, number>();
  for (const { state } of lost) {
    const factor = new Precise(1).minus(impactOf(state)).toString();
    counts.set(factor, (counts.get(factor) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .reduce((product, [factor, count]) => product.times(new Precise(factor).pow(count)), new Precise(1));
}

/** Trust with its lost cases, from 0 to 100. */
export const trustOf = (ownConduct: Decimal, lost: Iterable<Case>): Decimal => ownConduct.times(remaining(lost));

/**
 * The difference in points that one lost case makes: trust with it less trust without it.
 * @param trust with this case
 */
export function trustImpact(trust: Decimal, { state }: Case): Decimal {
  const impact = impactOf(state);
  return trust.times(impact).div(new Precise(1).minus(impact)).negated();
}
