import type Fraction from 'fraction.js';
import { ratio } from '../numbers/figure.js';
import { type Invoice, settledMs } from '../state/invoices.js';
import type { Market } from '../state/market.js';
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

/** The invoices of one vendor, or those for one buyer. */
export interface PartyInvoices {
  /** Of the invoices that were due in 30 days, those settled in time; null without any. */
  readonly settledOnTime: Fraction | null;
  /** The sum of the initiated invoices in millionths of a dollar. */
  readonly exposure: bigint;
}

/**
 * The figures of invoices by party. The vendor of an invoice is that of the receipt with its newest statement. Its buyer is
 * the counterparty of the settlement, otherwise that of the receipt.
 * @returns a function to call for each party; the invoices are read once
 */
export function invoicesByParty({ invoices, t }: Market): (role: 'vendor' | 'buyer', name: string) => PartyInvoices {
  const all = invoices.at(t);
  const parties = {
    vendor: grouped<string | null>(all, ({ state }) => state.vendor),
    buyer: grouped(all, ({ state }) => state.buyer),
  };
  return (role, name) => {
    const ofParty = parties[role].get(name) ?? [];
    return { settledOnTime: settledOnTime(ofParty, t), exposure: outstanding(ofParty) };
  };
}
