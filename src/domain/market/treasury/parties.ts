import type Fraction from 'fraction.js';
import { ratio } from '../numbers/ratio.js';
import { type Invoice, settledMs } from '../state/invoice.js';
import type { Market } from '../state/market.js';
import { monthMs } from '../state/windows.js';

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
 * @returns what to call for each party; the invoices are read once
 */
export function invoicesByParty(market: Market): (role: 'vendor' | 'buyer', name: string) => PartyInvoices {
  const parties = { vendor: new Map<string, Invoice[]>(), buyer: new Map<string, Invoice[]>() };
  for (const invoice of market.invoices.at(market.t)) {
    const { vendor, buyer } = invoice.state;
    addTo(parties.vendor, vendor, invoice);
    if (buyer !== null) addTo(parties.buyer, buyer, invoice);
  }
  return (role, name) => {
    const invoices = parties[role].get(name) ?? [];
    return { settledOnTime: settledOnTime(invoices, market.t), exposure: outstanding(invoices) };
  };
}

function addTo(parties: Map<string, Invoice[]>, name: string, invoice: Invoice): void {
  const invoices = parties.get(name);
  if (invoices === undefined) parties.set(name, [invoice]);
  else invoices.push(invoice);
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

/** The sum of what was initiated and not settled. */
export const outstanding = (invoices: readonly Invoice[]): bigint =>
  sumUsd(invoices.filter(({ state }) => state.status === 'initiated'));

export const sumUsd = (invoices: readonly Invoice[]): bigint =>
  invoices.reduce((sum, { state }) => sum + state.usd, 0n);
