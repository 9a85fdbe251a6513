import { timeOf } from '../../../../contracts/instant.js';
import { isWithinBounds } from '../../../../contracts/market.js';
import { publicName } from '../../public-name.js';
import type { Place } from '../fact.js';
import { divideHalfEven, toUnits } from '../numbers/exact.js';
import type { Statement } from '../statements.js';
import type { Fold } from './fold.js';
import type { Task } from './receipt.js';
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

type Settlement = Extract<Statement, { type: 'settlement' }>['said'];

/** The content of one statement about an invoice. */
interface InvoiceState extends Place {
  readonly seq: number;
  /** The end of the task whose receipt stated it. */
  readonly endedMs: number;
  readonly status: Settlement['status'];
  readonly direction: 'receivable' | 'payable';
  readonly rail: Settlement['rail'];
  readonly currency: string;
  /** In millionths of the currency. */
  readonly amount: bigint;
  /** Dollars for one unit of the currency, in units of 10⁻¹². */
  readonly rate: bigint;
  /** The amount in millionths of a dollar. */
  readonly usd: bigint;
  readonly dueMs: number | null;
  readonly vendor: string;
  readonly buyer: string | null;
}

/** A moment, and the position in its chain of the statement that has it. */
interface Said {
  readonly seq: number;
  readonly ms: number;
}

/** An invoice of one workspace. The public knows it by its tag. It does not depend on the order of its statements. */
export interface Invoice {
  readonly tag: string;
  /** The newest statement: the state of the invoice. */
  state: InvoiceState;
  /** The end of the task that stated it first. */
  first: Said;
  /** The end of the task that first stated the status `settled`. */
  firstSettled: Said | null;
  /** The last `settled_at` that was stated. */
  statedSettled: Said | null;
  /** The costs of all public receipts that carry it, in millionths of a dollar. */
  cost: bigint;
}

/** When the invoice was settled; null where no statement says so. */
export const settledMs = ({ statedSettled, firstSettled }: Invoice): number | null =>
  (statedSettled ?? firstSettled)?.ms ?? null;

/** The invoice that a receipt is the first to carry. */
const invoiceOf = (tag: string, task: Task, said: Settlement): Invoice => ({
  tag,
  state: stateOf(task, said),
  first: endOf(task),
  firstSettled: said.status === 'settled' ? endOf(task) : null,
  statedSettled: settledIn(task, said),
  cost: costOf(task),
});

/** Adds one more receipt that carries the invoice. */
function addSettlement(invoice: Invoice, task: Task, said: Settlement): void {
  const more = invoiceOf(invoice.tag, task, said);
  if (more.state.seq > invoice.state.seq) invoice.state = more.state;
  if (more.first.seq < invoice.first.seq) invoice.first = more.first;
  invoice.firstSettled = oneOf(invoice.firstSettled, more.firstSettled, (a, b) => a < b);
  invoice.statedSettled = oneOf(invoice.statedSettled, more.statedSettled, (a, b) => a > b);
  invoice.cost += more.cost;
}

function oneOf(a: Said | null, b: Said | null, isWanted: (a: number, b: number) => boolean): Said | null {
  if (a === null || b === null) return a ?? b;
  return isWanted(a.seq, b.seq) ? a : b;
}

const endOf = ({ seq, ended_ms: ms }: Task): Said => ({ seq, ms });

const settledIn = ({ seq }: Task, { settled_at }: Settlement): Said | null =>
  settled_at === undefined ? null : { seq, ms: timeOf(settled_at) };

const costOf = ({ cost_micros }: Task): bigint => BigInt(cost_micros ?? 0);

export const rateDecimals = 12;

function stateOf(
  { seq, recorded_ms, ended_ms: endedMs, hash, vendor, counterparty }: Task,
  said: Settlement,
): InvoiceState {
  const { status, direction = 'receivable', rail, currency, due_at } = said;
  const amount = toUnits(said.amount, 6);
  // Dollars have the rate 1, also where another is stated.
  const rate = toUnits(currency === 'USD' ? 1 : (said.usd_rate ?? 1), rateDecimals);
  return {
    seq,
    endedMs,
    recorded_ms,
    hash,
    status,
    direction,
    rail,
    currency,
    amount,
    rate,
    usd: divideHalfEven(amount * rate, 10n ** BigInt(rateDecimals)),
    dueMs: due_at === undefined ? null : timeOf(due_at),
    vendor,
    buyer: publicName(said.counterparty) ?? counterparty,
  };
}
