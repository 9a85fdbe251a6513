import { Refusal } from '../../contracts/errors.js';

export interface TurnLimits {
  /** Pieces of work that are done at the same time. */
  readonly atOnce: number;
  /** Bytes of all work that is done or waits. What waits is held in memory, more than once. */
  readonly heldBytes: number;
}

/** First come, first served. @throws Refusal rate_limited, when so much waits already that no more must wait with it */
export type Turns = <T>(bytes: number, work: () => Promise<T>) => Promise<T>;

export function createTurns({ atOnce, heldBytes }: TurnLimits): Turns {
  const waiting: (() => void)[] = [];
  let working = 0;
  let held = 0;
  return async (bytes, work) => {
    if (held + bytes > heldBytes) {
      throw new Refusal('rate_limited', 'Many large requests are under way. Wait 5 s.', { retry_after_seconds: 5 });
    }
    held += bytes;
    try {
      if (working >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
      else working += 1;
      try {
        return await work();
      } finally {
        // The turn goes to the next one without being free in between.
        const next = waiting.shift();
        if (next) next();
        else working -= 1;
      }
    } finally {
      held -= bytes;
    }
  };
}
