import type Fraction from 'fraction.js';
import { bounds } from '../../../../contracts/feeds/bounds.js';
import { Figure, figureOf, money, ratio, rounded } from '../numbers/figure.js';
import { type BoundedList, byAmountDown, byCodePoint, type Compare, firstOf, listOf } from '../numbers/lists.js';
import { type Invoice, rateDecimals, settledMs } from '../state/invoices.js';
import type { Market } from '../state/market.js';
import { isRecordedBefore } from '../state/receipt.js';
import { dayMs, monthMs } from '../state/windows.js';
import { floatRows, railRows } from '../treasury/rails.js';
import { grouped, isSettledIn, outstanding, settledOnTime, sumUsd } from '../treasury/sums.js';
import type { FeedValue } from './feed-text.js';
import { feedHead, type Moment } from './head.js';

/** Invoices, which appear by their tags only. */
export function treasuryFeed({ invoices, t }: Market, moment: Moment): FeedValue {
  const all = invoices.at(t);
  const stated = all.filter(({ state: { endedMs } }) => endedMs > t - monthMs && endedMs <= t);
  const overdue = all.filter(({ state: { dueMs } }) => dueMs !== null && dueMs < t);
  const lists = {
    rails: listOf(railRows(stated), bounds.rails),
    reconciliation: reconciled(stated, bounds.reconciliation),
    fx: listOf(currencies(all.filter((invoice) => isSettledIn(invoice, t - monthMs, t))), bounds.fx),
    float: listOf(floatRows(all), bounds.float),
  };
  return {
    summary: {
      ...feedHead(moment, lists),
      settled_24h: money(sumUsd(all.filter((invoice) => isSettledIn(invoice, t - dayMs, t)))),
      outstanding_usd: money(outstanding(all)),
      overdue_usd: money(outstanding(overdue)),
      on_time_rate: figureOf(settledOnTime(all, t)),
    },
    rails: lists.rails.rows,
    reconciliation: lists.reconciliation.rows.map(reconciliationRow),
    fx: lists.fx.rows.map(currencyRow),
    float: lists.float.rows,
    working_capital: workingCapital(all, t),
  };
}

/** An invoice beside the costs of the receipts that carry it. */
interface Reconciled {
  readonly invoice: string;
  readonly state: 'matched' | 'unmatched' | 'short' | 'over';
  /** In millionths of a dollar. */
  readonly difference: bigint;
}

/** @param invoices those that were stated in 30 days */
const reconciled = (invoices: readonly Invoice[], bound: number): BoundedList<Reconciled> =>
  firstOf(invoices.map(reconcile), bound, byDifference);

const reconciliationRow = ({ invoice, state, difference }: Reconciled) => ({
  invoice,
  state,
  difference_usd: money(difference),
});

function reconcile({ tag, state: { status, usd }, cost }: Invoice): Reconciled {
  if (status !== 'settled') return { invoice: tag, state: 'unmatched', difference: -cost };
  const difference = usd - cost;
  return { invoice: tag, state: difference === 0n ? 'matched' : difference < 0n ? 'short' : 'over', difference };
}

const byDifference: Compare<Reconciled> = (a, b) =>
  byAmountDown(sizeOf(a), sizeOf(b)) || byCodePoint(a.state, b.state) || byCodePoint(a.invoice, b.invoice);

const sizeOf = ({ difference }: Reconciled): bigint => (difference < 0n ? -difference : difference);

/** The currencies of these settled invoices, the largest sum in dollars first. */
function currencies(settled: readonly Invoice[]) {
  return [...grouped(settled, ({ state }) => state.currency)]
    .filter(([currency]) => currency !== 'USD')
    .map(([currency, invoices]) => ({ currency, invoices, usd: sumUsd(invoices) }))
    .sort((a, b) => byAmountDown(a.usd, b.usd) || byCodePoint(a.currency, b.currency));
}

function currencyRow({ currency, invoices }: ReturnType<typeof currencies>[number]) {
  let [volume, weighted] = [0n, 0n];
  for (const { state } of invoices) {
    volume += state.amount;
    weighted += state.amount * state.rate;
  }
  const vwap = ratio(weighted, volume * 10n ** BigInt(rateDecimals));
  return {
    currency,
    volume: money(volume),
    vwap_usd_rate: vwap === null ? null : rounded(vwap, rateDecimals),
    last_usd_rate: new Figure(lastSettled(invoices).state.rate, rateDecimals),
  };
}

/** The invoice that was settled last; of several that were settled at once, the one that was recorded last. */
function lastSettled(invoices: readonly Invoice[]): Invoice {
  return invoices.reduce((last, one) => {
    const [a, b] = [settledMs(last) ?? 0, settledMs(one) ?? 0];
    return b > a || (b === a && isRecordedBefore(last.state, one.state)) ? one : last;
  });
}

const days = 30n;

function workingCapital(invoices: readonly Invoice[], t: number) {
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
