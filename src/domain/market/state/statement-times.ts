const minuteMs = 60_000;

/** The t of all feeds is a whole minute, so all times within one minute come into a window, and leave it, together. */
const upToMinute = (ms: number): number => Math.ceil(ms / minuteMs) * minuteMs;

/**
 * When an object was stated: the ends of the tasks whose receipts did so, rounded up to the minute. Of those up to the
 * newest record only the last is there, because t is not before a record. A task ends minutes after its record at most, so
 * there are only a few.
 */
export interface StatementTimes {
  knownMs: number;
  ends: readonly number[];
}

export const timesOf = (endedMs: number, recordedMs: number): StatementTimes => ({
  knownMs: upToMinute(recordedMs),
  ends: [upToMinute(endedMs)],
});

/** The result does not depend on the order in which statements are added. */
export function addTime(times: StatementTimes, endedMs: number, recordedMs: number): void {
  times.knownMs = Math.max(times.knownMs, upToMinute(recordedMs));
  const ends = new Set(times.ends).add(upToMinute(endedMs));
  const last = Math.max(...[...ends].filter((end) => end <= times.knownMs));
  times.ends = [...ends].filter((end) => end === last || end > times.knownMs);
}

/** Whether the object was stated in a window (after, until] whose ends are whole minutes. */
export const isStatedIn = ({ ends }: StatementTimes, after: number, until: number): boolean =>
  ends.some((end) => end > after && end <= until);

/** Whether it was stated after this minute, perhaps in a task that ends after t. */
export const isStatedAfter = ({ ends }: StatementTimes, after: number): boolean => ends.some((end) => end > after);
