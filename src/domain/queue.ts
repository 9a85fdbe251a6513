import { Refusal } from '../../contracts/errors.js';

export interface QueueLimits {
  /** The number of tasks that run at the same time. */
  readonly atOnce: number;
  /** The largest number of bytes of all tasks that run or wait. Waiting input is held in memory, in several copies. */
  readonly heldBytes: number;
}

/** Runs tasks in the order in which they arrive. @throws Refusal rate_limited when too many bytes are waiting already */
export type Queue = <T>(bytes: number, work: () => Promise<T>) => Promise<T>;

export function createQueue({ atOnce, heldBytes }: QueueLimits): Queue {
  const waiting: (() => void)[] = [];
  let working = 0;
  let held = 0;
  return async (bytes, work) => {
    if (held + bytes > heldBytes) {
      throw new Refusal('rate_limited', 'Many large requests are in progress. Wait 5 s.', { retry_after_seconds: 5 });
    }
    held += bytes;
    try {
      if (working >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
      else working += 1;
      try {
        return await work();
      } finally {
        // The slot passes to the next task without becoming free in between.
        const next = waiting.shift();
        if (next) next();
        else working -= 1;
      }
    } finally {
      held -= bytes;
    }
  };
}
