import { dayMs } from './windows.js';

/** Values by a moment of theirs, in groups by day, so that a window costs what is in its days. */
interface ByTime<T> {
  add(value: T): void;
  delete(value: T): void;
  /** The days of UTC that overlap (after, until], newest first, each with its values of that window. */
  between(after: number, until: number): Iterable<readonly T[]>;
}

const dayOf = (ms: number): number => Math.floor(ms / dayMs);

/** @param timeOf the moment of a value */
export function createByTime<T>(timeOf: (value: T) => number): ByTime<T> {
  const days = new Map<number, Set<T>>();
  return {
    add(value) {
      const day = dayOf(timeOf(value));
      const values = days.get(day) ?? new Set();
      days.set(day, values.add(value));
    },
    delete(value) {
      const day = dayOf(timeOf(value));
      const values = days.get(day);
      values?.delete(value);
      if (values?.size === 0) days.delete(day);
    },
    *between(after, until) {
      const found = [...days.keys()].filter((day) => day >= dayOf(after) && day <= dayOf(until));
      for (const day of found.sort((a, b) => b - a)) {
        yield [...(days.get(day) ?? [])].filter((value) => timeOf(value) > after && timeOf(value) <= until);
      }
    },
  };
}
