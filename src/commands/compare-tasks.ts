import type { SentDigest, SubmittedTask } from '../domain/task/submitted.js';
import { canonical } from '../verifier/canonical.js';
import type { TaskState, Tasks } from './state/tasks.js';

/**
 * Whether a submitted task receipt is new, and if not, which one has its id: a receipt in the ledger, or the one at an
 * earlier place of the same batch.
 */
export type Comparison =
  | { readonly is: 'new' }
  | { readonly is: 'duplicate' | 'conflict'; readonly of: TaskState | number };

/** Compares the task receipts of a batch with those in the ledger and with those before them in the batch, by their ids. */
export function compareTasks(
  submitted: readonly SubmittedTask[],
  recorded: Tasks,
  sentDigest: SentDigest,
): readonly Comparison[] {
  const first = new Map<string, number>();
  return submitted.map((task, index) => {
    const id = task.task.receipt_id;
    const before = recorded.get(id);
    if (before) return { is: isSame(before, task, sentDigest) ? 'duplicate' : 'conflict', of: before };
    const earlier = first.get(id);
    if (earlier !== undefined) {
      const same = submitted[earlier]?.canonical === task.canonical;
      return { is: same ? 'duplicate' : 'conflict', of: earlier };
    }
    first.set(id, index);
    return { is: 'new' };
  });
}

/** Of a receipt whose private text was erased, only the members that the schema names can be compared. */
function isSame({ entry, salt }: TaskState, task: SubmittedTask, sentDigest: SentDigest): boolean {
  if (salt !== null) return sentDigest(salt, task.canonical) === entry.body.sent_digest;
  return canonical(entry.body.task) === canonical(task.task);
}
