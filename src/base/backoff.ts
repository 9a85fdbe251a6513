/** Pauses that grow while something fails again and again, in milliseconds: the first of them, and the longest. */
interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
  /** How many times as long each pause is as the one before it; 2 when left out. */
  readonly factor?: number;
}

/**
 * How long to wait before the next attempt, in milliseconds.
 * @param before how many pauses came before this one, since it worked last: 0 gives the first
 */
export function pauseAfter({ firstMs, longestMs, factor = 2 }: Backoff, before: number): number {
  return Math.min(longestMs, firstMs * factor ** before);
}
