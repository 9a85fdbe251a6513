import { publicName } from '../../public-name.js';
import { toUnits } from '../exact.js';
import type { Place } from '../fact.js';
import { divideHalfEven } from '../numbers/round.js';
import type { Statement } from '../statements.js';
import { timeOf } from '../time-of.js';
import type { Task } from './receipt.js';

export type Settlement = Extract<Statement, { type: 'settlement' }>['said'];

/** The content of one statement about an invoice. */
export interface InvoiceState extends Place {
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
export const invoiceOf = (tag: string, task: Task, said: Settlement): Invoice => ({
  tag,
  state: stateOf(task, said),
  first: endOf(task),
  firstSettled: said.status === 'settled' ? endOf(task) : null,
  statedSettled: settledIn(task, said),
  cost: costOf(task),
});

/** Adds one more receipt that carries the invoice. */
export function addSettlement(invoice: Invoice, task: Task, said: Settlement): void {
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
