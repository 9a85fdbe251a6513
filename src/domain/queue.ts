import { Refusal } from '../../contracts/errors.js';

export interface QueueLimits {
  /** The number of tasks that run at the same time. */
  readonly atOnce: number;
  /** The largest number of bytes of all tasks that run or wait. Waiting input is held in memory, in several copies. */
  readonly heldBytes: number;
}

/**
 * Runs tasks in the order in which they arrive, and those of several owners alternately: a task waits for one of each other owner
 * at most before it. @throws Refusal rate_limited when too many bytes are waiting already
 */
export type Queue = <T>(bytes: number, work: () => Promise<T>, owner?: string) => Promise<T>;

export function createQueue({ atOnce, heldBytes }: QueueLimits): Queue {
  const lines = createLines();
  let working = 0;
  let held = 0;
  return async (bytes, work, owner = '') => {
    if (held + bytes > heldBytes) {
      throw new Refusal('rate_limited', 'Many large requests are in progress. Wait 5 s.', { retry_after_seconds: 5 });
    }
    held += bytes;
    try {
      if (working >= atOnce) await new Promise<void>((resolve) => lines.wait(owner, resolve));
      else working += 1;
      try {
        return await work();
      } finally {
        // The slot passes to the next task without becoming free in between.
        if (!lines.next()) working -= 1;
      }
    } finally {
      held -= bytes;
    }
  };
}

/** Those who wait, by owner. A map keeps the order in which owners came, and an owner whose task was started goes to its end. */
function createLines() {
  const waiting = new Map<string, (() => void)[]>();
  return {
    wait(owner: string, start: () => void): void {
      const own = waiting.get(owner);
      if (own) own.push(start);
      else waiting.set(owner, [start]);
    },
    /** Starts the next one. @returns whether there was one */
    next(): boolean {
      for (const [owner, [start, ...others]] of waiting) {
        waiting.delete(owner);
        if (others.length > 0) waiting.set(owner, others);
        start?.();
        return start !== undefined;
      }
      return false;
    },
  };
}
