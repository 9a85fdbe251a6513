import { latencyBucket, quantile } from '../latency.js';
import { type Figure, money, rate } from '../numbers/figure.js';
import { byAmountDown, byCodePoint } from '../numbers/lists.js';
import { type Invoice, settledMs } from '../state/invoices.js';
import { addCount } from '../state/sums.js';
import { hourMs } from '../state/windows.js';
import { grouped, outstanding, sumUsd } from './sums.js';

/** @param invoices those that were stated in 30 days */
export function railRows(invoices: readonly Invoice[]) {
  return [...grouped(invoices, ({ state }) => state.rail)]
    .map(([rail, ofRail]) => ({ rail, ofRail, volume: sumUsd(ofRail) }))
    .sort((a, b) => byAmountDown(a.volume, b.volume) || byCodePoint(a.rail, b.rail))
    .map(({ rail, ofRail, volume }) => ({
      rail,
      count: ofRail.length,
      volume_usd: money(volume),
      success_rate: successRate(ofRail),
      median_settle_hours: medianHours(ofRail),
    }));
}

/** The settled ones of those that were settled, failed or refunded. */
function successRate(invoices: readonly Invoice[]): Figure | null {
  const settled = invoices.filter(({ state }) => state.status === 'settled').length;
  const initiated = invoices.filter(({ state }) => state.status === 'initiated').length;
  return rate(settled, invoices.length - initiated);
}

/** The median of the times from the first statement to the settlement. */
function medianHours(invoices: readonly Invoice[]): Figure | null {
  const buckets = new Map<number, number>();
  for (const invoice of invoices) {
    const { status } = invoice.state;
    const settled = settledMs(invoice);
    if (settled === null || (status !== 'settled' && status !== 'refunded')) continue;
    addCount(buckets, latencyBucket(settled - invoice.first.ms), 1);
  }
  const median = quantile(buckets, 50);
  return median === null ? null : rate(median, hourMs);
}

/** The money that is on its way on each rail, over all invoices. */
export function floatRows(invoices: readonly Invoice[]) {
  return [...grouped(invoices, ({ state }) => state.rail)]
    .map(([rail, ofRail]) => ({ rail, amount: outstanding(ofRail) }))
    .filter(({ amount }) => amount > 0n)
    .sort((a, b) => byAmountDown(a.amount, b.amount) || byCodePoint(a.rail, b.rail))
    .map(({ rail, amount }) => ({ rail, initiated_not_settled_usd: money(amount) }));
}
