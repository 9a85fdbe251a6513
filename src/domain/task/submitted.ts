import type { NamedTask } from '../../../contracts/task-receipt.js';

/** A task receipt as a platform has sent it, checked and divided into what an entry holds and what can be erased. */
export interface SubmittedTask {
  readonly task: NamedTask;
  /** The tools outside the declared scope in the order of their first call; null when no scope was declared. */
  readonly scopeViolations: readonly string[] | null;
  /**
   * A JSON object with `task_summary` and all members that the schema does not name, exactly as they were sent; null when
   * there are none.
   */
  readonly privateText: string | null;
  /** RFC 8785 of all that was sent. Two submissions are the same when these are equal. */
  readonly canonical: string;
}
