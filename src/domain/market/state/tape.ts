import { bounds } from '../../../../contracts/feeds/bounds.js';
import type { Fold } from './fold.js';
import { isRecordedBefore, type Task } from './receipt.js';

/** The newest public receipts in recorded order. */
export interface Tape {
  /** The newest first, up to the bound of the list. */
  newest(): readonly Task[];
}

export function createTape(): Fold & Tape {
  /** The oldest first, so that a receipt in recorded order goes to the end. */
  const tasks: Task[] = [];
  return {
    newest: () => tasks.toReversed(),
    add({ task }) {
      const [oldest] = tasks;
      // Chains that are read one after the other give mostly such receipts.
      if (oldest !== undefined && tasks.length === bounds.tape && isRecordedBefore(task, oldest)) return;
      const at = tasks.findLastIndex((one) => isRecordedBefore(one, task)) + 1;
      tasks.splice(at, 0, task);
      if (tasks.length > bounds.tape) tasks.shift();
    },
  };
}
