import type Fraction from 'fraction.js';
import { figureOf, ratio } from '../numbers/ratio.js';
import type { Invoice } from '../state/invoice.js';
import { monthMs } from '../state/windows.js';
import { outstanding, sumUsd } from './sums.js';

const days = 30n;

export function workingCapital(invoices: readonly Invoice[], t: number) {
  const ofDirection = (wanted: 'receivable' | 'payable') => invoices.filter(({ state }) => state.direction === wanted);
  const dso = daysOf(ofDirection('receivable'), t);
  const dpo = daysOf(ofDirection('payable'), t);
  return {
    dso_days: figureOf(dso),
    dpo_days: figureOf(dpo),
    cash_conversion_days: figureOf(dso === null || dpo === null ? null : dso.sub(dpo)),
  };
}

/** 30 × the sum that is outstanding / the sum of the invoices that were first stated in 30 days. */
function daysOf(invoices: readonly Invoice[], t: number): Fraction | null {
  const started = invoices.filter(({ first }) => first.ms > t - monthMs && first.ms <= t);
  return ratio(days * outstanding(invoices), sumUsd(started));
}
