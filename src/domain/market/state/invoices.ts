import { isWithinBounds } from '../../../../contracts/market.js';
import type { Fold } from './fold.js';
import { addSettlement, type Invoice, invoiceOf, settledMs } from './invoice.js';
import { monthMs } from './windows.js';

export interface Invoices extends Fold {
  /**
   * Those that figures at t need: initiated ones, and those with a time after t − 30 days.
   * @param t not before that of an earlier call
   */
  at(t: number): readonly Invoice[];
}

export function createInvoices(): Invoices {
  const invoices = new Map<string, Invoice>();
  const current = new Set<Invoice>();
  return {
    at(t) {
      for (const invoice of current) if (isPast(invoice, t - monthMs)) current.delete(invoice);
      return [...current];
    },
    add({ task, statements, invoice: tag }) {
      for (const { type, said } of statements) {
        if (type !== 'settlement' || tag === null || !isWithinBounds(said)) continue;
        const known = invoices.get(tag);
        const invoice = known ?? invoiceOf(tag, task, said);
        if (known !== undefined) addSettlement(known, task, said);
        invoices.set(tag, invoice);
        current.add(invoice);
      }
    },
  };
}

/** Whether no figure needs it until it is stated again. @param after the beginning of the longest window */
function isPast(invoice: Invoice, after: number): boolean {
  const { status, dueMs, endedMs } = invoice.state;
  const isAfter = (ms: number | null) => ms !== null && ms > after;
  return status !== 'initiated' && ![dueMs, endedMs, invoice.first.ms, settledMs(invoice)].some(isAfter);
}
