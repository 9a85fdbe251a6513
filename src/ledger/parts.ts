/**
 * The length of the rows that one statement inserts. Measured: 1 MiB of entries occupies the thread for 12 ms until it is
 * sent, and no row is written before the statement before it has ended.
 */
const partLength = 512 * 1024;

/** Rows in their order, in parts that are inserted by one statement each. A longer row is a part of its own. */
export function partsOf<T>(rows: readonly T[], lengthOf: (row: T) => number): readonly (readonly T[])[] {
  const parts: T[][] = [];
  let length = 0;
  for (const row of rows) {
    length += lengthOf(row);
    if (parts.length === 0 || length > partLength) {
      parts.push([]);
      length = lengthOf(row);
    }
    parts.at(-1)?.push(row);
  }
  return parts;
}
