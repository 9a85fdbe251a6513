/** So much waits already that another document must not wait with it. */
export class Crowded extends Error {}

export interface TurnLimits {
  /** Documents that are read at the same time. */
  readonly atOnce: number;
  /** Bytes of all documents that are read or wait. What waits is held in memory, more than once. */
  readonly heldBytes: number;
}

/** First come, first served. @throws Crowded */
export type Turns = <T>(bytes: number, work: () => Promise<T>) => Promise<T>;

export function createTurns({ atOnce, heldBytes }: TurnLimits): Turns {
  const waiting: (() => void)[] = [];
  let working = 0;
  let held = 0;
  return async (bytes, work) => {
    if (held + bytes > heldBytes) throw new Crowded('too many documents wait to be read');
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
