import type { PublicReceipt, Task } from './receipt.js';
import type { Window } from './windows.js';

/**
 * A part of the state of the market. The result depends on the receipts and on the windows that they are in, and not on the
 * order in which these functions are called.
 */
export interface Fold {
  /** A receipt that was recorded at t or before. Its task may still be in no window. */
  add(receipt: PublicReceipt): void;
  /** A task comes into a window (1), or leaves it (−1) after it came into it. For what depends on windows. */
  move?(task: Task, window: Window, by: 1 | -1): void;
  /** All tasks are in the windows before t. For what is removed with time, such as days of UTC. */
  arrive?(t: number): void;
}
