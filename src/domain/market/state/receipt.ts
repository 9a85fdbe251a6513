import type { PublicTags } from '../../public-tags.js';
import { type Fact, factOf, type Place, type TaskEntry } from '../fact.js';
import { privateIds, type Statement, statementsOf } from '../statements.js';

/** A task as windows see it. */
export interface Task extends Fact {
  /** The id of the run of a workflow, unique within the workspace and private; null without one. */
  readonly run: string | null;
}

/** A public task receipt as the state of the market sees it. */
export interface PublicReceipt {
  readonly task: Task;
  /** At most one of each type. */
  readonly statements: readonly Statement[];
  /** The public tag of the invoice that its settlement is about. Invoices of two workspaces have different tags. */
  readonly invoice: string | null;
}

/** The order of receipts across workspaces. */
export function isRecordedBefore(
  a: { readonly recorded_ms: number; readonly hash: string },
  b: { readonly recorded_ms: number; readonly hash: string },
): boolean {
  return a.recorded_ms < b.recorded_ms || (a.recorded_ms === b.recorded_ms && a.hash < b.hash);
}

/** A task receipt as the state of the market sees it; null for every one that was not public when it was recorded. */
export function publicReceiptOf(
  entry: TaskEntry,
  hash: string,
  tags: Pick<PublicTags, 'invoice'>,
): PublicReceipt | null {
  const fact = factOf(entry, hash);
  if (fact === null) return null;
  const { task } = entry.body;
  const { invoice_id, run_id } = privateIds(task) ?? { invoice_id: null, run_id: null };
  return {
    // The fact was made for this. A copy of it would take a tenth of the time of reading the entry and its facts.
    task: Object.assign(fact, { run: run_id }),
    statements: statementsOf(task.market),
    invoice: invoice_id === null ? null : tags.invoice(entry.workspace_id, invoice_id),
  };
}

/** The statement of a receipt about an object, with all that figures need to know of the receipt. */
export interface Stated<S> extends Place {
  readonly workspace: string;
  readonly seq: number;
  readonly agent: string;
  readonly ended_ms: number;
  readonly said: S;
}

/** The whole task is not referred to, so that memory need not hold it. */
export function statedIn<S>({ recorded_ms, hash, workspace, seq, agent, ended_ms }: Task, said: S): Stated<S> {
  return { recorded_ms, hash, workspace, seq, agent, ended_ms, said };
}
