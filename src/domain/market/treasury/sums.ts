import type Fraction from 'fraction.js';
import { ratio } from '../numbers/ratio.js';
import { type Invoice, settledMs } from '../state/invoice.js';
import { monthMs } from '../state/windows.js';

export function grouped<K>(invoices: readonly Invoice[], keyOf: (invoice: Invoice) => K): Map<K, Invoice[]> {
  const groups = new Map<K, Invoice[]>();
  for (const invoice of invoices) {
    const group = groups.get(keyOf(invoice));
    if (group === undefined) groups.set(keyOf(invoice), [invoice]);
    else group.push(invoice);
  }
  return groups;
}

/** In millionths of a dollar. */
export const sumUsd = (invoices: readonly Invoice[]): bigint =>
  invoices.reduce((sum, { state }) => sum + state.usd, 0n);

/** The sum of what was initiated and not settled. */
export const outstanding = (invoices: readonly Invoice[]): bigint =>
  sumUsd(invoices.filter(({ state }) => state.status === 'initiated'));

/** Whether it is settled now, and was within a window (after, until]. */
export function isSettledIn(invoice: Invoice, after: number, until: number): boolean {
  const settled = settledMs(invoice);
  return invoice.state.status === 'settled' && settled !== null && settled > after && settled <= until;
}

/** Of the invoices that were due in the 30 days before t, the part that was settled, or refunded later, when it was due. */
export function settledOnTime(invoices: readonly Invoice[], t: number): Fraction | null {
  const due = invoices.filter(({ state: { dueMs } }) => dueMs !== null && dueMs > t - monthMs && dueMs <= t);
  return ratio(due.filter(isSettledOnTime).length, due.length);
}

function isSettledOnTime(invoice: Invoice): boolean {
  const { status, dueMs } = invoice.state;
  const settled = settledMs(invoice);
  return (status === 'settled' || status === 'refunded') && settled !== null && dueMs !== null && settled <= dueMs;
}
