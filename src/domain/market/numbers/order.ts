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
