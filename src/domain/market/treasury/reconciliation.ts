import { money } from '../numbers/figure.js';
import { firstOf } from '../numbers/first.js';
import type { BoundedList } from '../numbers/list.js';
import { byAmountDown, byCodePoint, type Compare } from '../numbers/order.js';
import type { Invoice } from '../state/invoice.js';

/** An invoice beside the costs of the receipts that carry it. */
interface Reconciled {
  readonly invoice: string;
  readonly state: 'matched' | 'unmatched' | 'short' | 'over';
  /** In millionths of a dollar. */
  readonly difference: bigint;
}

/** @param invoices those that were stated in 30 days */
export const reconciled = (invoices: readonly Invoice[], bound: number): BoundedList<Reconciled> =>
  firstOf(invoices.map(reconcile), bound, byDifference);

export const reconciliationRow = ({ invoice, state, difference }: Reconciled) => ({
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
