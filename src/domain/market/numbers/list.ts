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
