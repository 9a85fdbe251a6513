import type Fraction from 'fraction.js';
import type { Market } from '../state/market.js';
import { grouped, outstanding, settledOnTime } from './sums.js';

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
