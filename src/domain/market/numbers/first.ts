import type { BoundedList } from './list.js';
import type { Compare } from './order.js';

/** The first values in an order, without ordering those beyond the bound. */
export function firstOf<T>(values: Iterable<T>, bound: number, compare: Compare<T>): BoundedList<T> {
  let [rows, total]: [T[], number] = [[], 0];
  let last: T | undefined;
  for (const value of values) {
    total += 1;
    if (last !== undefined && compare(value, last) >= 0) continue;
    rows.push(value);
    if (rows.length < 2 * bound) continue;
    rows = rows.sort(compare).slice(0, bound);
    last = rows.at(-1);
  }
  return { rows: rows.sort(compare).slice(0, bound), bound, total };
}
