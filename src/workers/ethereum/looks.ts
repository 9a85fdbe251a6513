export interface Looks {
  /** Notes what a node claims now. @returns how often in a row it was the same claim; 0 for none */
  count(claim: string | null): number;
}

/** Counts the times at which a node repeats a claim, because a single one may be a mistake. A new process begins again. */
export function createLooks(): Looks {
  let last: string | null = null;
  let times = 0;
  return {
    count(claim) {
      times = claim === null ? 0 : claim === last ? times + 1 : 1;
      last = claim;
      return times;
    },
  };
}

/** Remembers the block at which something began, until it becomes another thing. */
export function createSince(): (what: string | null, block: number) => number {
  let last: string | null = null;
  let since = 0;
  return (what, block) => {
    if (what !== last) since = block;
    last = what;
    return since;
  };
}
