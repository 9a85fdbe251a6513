import type { PublicTags } from '../public-tags.js';
import { factOf, type TaskEntry } from './fact.js';
import type { PublicReceipt } from './state/receipt.js';
import { privateIds, statementsOf } from './statements.js';

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
