/** How the first value is ordered relative to the second: negative before, positive after, 0 equal. */
export type Compare<T> = (a: T, b: T) => number;

/** Unicode's order of code points. The operators of strings compare UTF-16 units, where U+1F600 precedes U+FF5E. */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (x !== y) return unitRank(x) - unitRank(y);
  }
  return a.length - b.length;
}

/** Surrogates are parts of code points beyond all that one unit can spell. */
const unitRank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** The largest amount first. */
export const byAmountDown = (a: bigint, b: bigint): number => (a > b ? -1 : a < b ? 1 : 0);

/** A list of a feed: the rows up to its bound, and how many there would be without it. */
export interface BoundedList<T> {
  readonly rows: readonly T[];
  readonly bound: number;
  readonly total: number;
}

/** @param rows all rows, in their order */
export function listOf<T>(rows: readonly T[], bound: number): BoundedList<T> {
  return { rows: rows.length > bound ? rows.slice(0, bound) : rows, bound, total: rows.length };
}

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
