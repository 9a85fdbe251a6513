import type { Segment } from './segments.js';

type Line = readonly Segment[];

/** A label with what follows it, such as `Name: Ada`. */
const labelled = /^[^:]{1,60}[^\s:]:\s+\S/u;
/** A title, dots and a number, as an index has them. */
const led = /[.\u00b7\u2025\u2026](?: ?[.\u00b7\u2025\u2026]){2,}\s*[\p{L}\p{N}, -]{1,20}$/u;
/** At least this share of the rows of a column are such pairs, and at least this number: a value may take several rows. */
const most = 0.5;
const fewest = 2;
/** Both columns have at least this number of pairs together. */
const together = 5;
/** At least this number of rows of a column, each drawn after the one above, shows that it was drawn by itself. */
const fewestDrawn = 3;

/**
 * The rows on both sides of a gap that are columns of labels with values: each has a colon, or dots that lead to a number, or each
 * column is a table by itself, which was drawn row by row before the other one.
 * @returns null if there are none
 */
export function pairsIn(
  rows: readonly Line[],
  gap: number,
  from: number,
  to: number,
): { from: number; to: number } | null {
  const sides: readonly Sides[] = rows.slice(from, to).map((row) => ({
    left: row.filter((one) => one.to <= gap),
    right: row.filter((one) => one.from >= gap),
  }));
  for (const pattern of [labelled, led]) {
    const found = runOf(
      sides.map(({ left, right }) => pattern.test(textOf(left)) || pattern.test(textOf(right))),
      rows.slice(from, to),
    );
    const inside = sides.slice(found.from, found.to);
    const [left, right] = [inside.map((one) => one.left), inside.map((one) => one.right)];
    if (arePairs(left, right, pattern)) return { from: from + found.from, to: from + found.to };
  }
  return drawnApart(sides, from);
}

interface Sides {
  readonly left: Line;
  readonly right: Line;
}

/** The first rows in which one side was drawn before the other, and each of them is a table. @param start the number of the first row */
function drawnApart(sides: readonly Sides[], start: number): { from: number; to: number } | null {
  for (const isLeftFirst of [true, false]) {
    for (let from = 0, to = 0; from < sides.length; from = Math.max(to, from + 1)) {
      let [last, first] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
      for (to = from; to < sides.length; to += 1) {
        const { left = [], right = [] } = sides[to] ?? {};
        last = Math.max(last, orderOf(isLeftFirst ? left : right).last);
        first = Math.min(first, orderOf(isLeftFirst ? right : left).first);
        if (last > first) break;
      }
      const inside = sides.slice(from, to);
      const all = [inside.map(({ left }) => left), inside.map(({ right }) => right)];
      if (all.every((side) => isDrawnByRows(side.filter((line) => line.length > 0))))
        return { from: start + from, to: start + to };
    }
  }
  return null;
}

const textOf = (line: Line) => line.map(({ text }) => text).join(' ');

/** The longest run of rows with pairs. Between them one row may have none, and above and below one on the same distance. */
function runOf(arePaired: readonly boolean[], rows: readonly Line[]): { from: number; to: number } {
  let best = { from: 0, to: 0 };
  let from = -1;
  let last = -1;
  for (const [at, isPaired] of arePaired.entries()) {
    if (!isPaired) continue;
    if (from < 0 || at - last > 2) from = at;
    last = at;
    if (last + 1 - from > best.to - best.from) best = { from, to: last + 1 };
  }
  const upOf = (at: number) => rows[at]?.[0]?.up ?? Number.NaN;
  const usual = (upOf(best.from) - upOf(best.to - 1)) / Math.max(1, best.to - best.from - 1);
  const isNear = (at: number) => upOf(at) - upOf(at + 1) < 1.3 * usual;
  return { from: isNear(best.from - 1) ? best.from - 1 : best.from, to: isNear(best.to - 1) ? best.to + 1 : best.to };
}

function arePairs(left: readonly Line[], right: readonly Line[], pattern: RegExp): boolean {
  const counts = [left, right].map((side) => {
    const texts = side.filter((line) => line.length > 0).map(textOf);
    return { rows: texts.length, pairs: texts.filter((text) => pattern.test(text)).length };
  });
  const enough = counts.every(({ rows, pairs }) => pairs >= fewest && pairs >= most * rows);
  return enough && counts.reduce((sum, { pairs }) => sum + pairs, 0) >= together;
}

/** Whether a side has several cells in most rows, and was drawn row by row. */
function isDrawnByRows(side: readonly Line[]): boolean {
  const cells = side.filter((line) => line.length > 1);
  if (cells.length < fewestDrawn || cells.length <= most * side.length) return false;
  return side.every((line, at) => at === 0 || orderOf(line).first > orderOf(side[at - 1] ?? []).last);
}

const orderOf = (line: Line) => ({
  first: line.reduce((least, { first }) => Math.min(least, first), Number.POSITIVE_INFINITY),
  last: line.reduce((most, { last }) => Math.max(most, last), Number.NEGATIVE_INFINITY),
});
