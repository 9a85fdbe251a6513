import type { Fact } from '../fact.js';
import type { Statement } from '../statements.js';

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
