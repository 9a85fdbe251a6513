import { isBlank, type Piece } from './pieces.js';
import type { Row } from './rows.js';
import { cellGap } from './segments.js';
import { inOneLine } from './tall-cells.js';

/** Rows that are nearer to each other than this multiple of their size cannot be lines below each other. */
const between = 0.95;
/** More of them are no row of a table, but texts beside each other. */
const mostRows = 9;
/** The middles of the cells of a row differ by less than this multiple of the size. Lines of two columns do so only by chance. */
const sameMiddle = 0.12;

/**
 * Joins the lines of cells where a row of a table has cells of one line, in the middle, beside cells of several lines: their lines are
 * at heights between each other.
 */
export function withWholeCells(rows: readonly Row[]): Row[] {
  const groups: Row[][] = [];
  for (const row of rows) {
    const above = groups.at(-1)?.at(-1);
    if (above && above.up - row.up < between * Math.min(above.size, row.size)) groups.at(-1)?.push(row);
    else groups.push([row]);
  }
  return groups.flatMap((group) => (group.length > 1 && group.length <= mostRows ? joined(group) : group));
}

interface Cell {
  from: number;
  to: number;
  /** The pieces of each line, from above. */
  readonly lines: { readonly up: number; readonly size: number; readonly pieces: Piece[] }[];
}

/** One row for all, or the rows as they are if their texts do not form cells. */
function joined(rows: readonly Row[]): readonly Row[] {
  const cells = cellsOf(rows);
  const isApart = cells.every(({ lines }) =>
    lines.every(({ up, size }, at) => (lines[at - 1]?.up ?? Number.POSITIVE_INFINITY) - up >= between * size),
  );
  const [first] = rows;
  if (first === undefined || cells.length < 2 || !isApart || !haveOneMiddle(cells, first.size)) return rows;
  const pieces = cells.map(({ lines }) => inOneLine(lines, first.up, first.size));
  return [{ up: first.up, size: first.size, pieces }];
}

/** Lines beside each other, such as the raised number of a note and its text, have no rows that could be mixed. */
function haveOneMiddle(cells: readonly Cell[], size: number): boolean {
  if (cells.every(({ lines }) => lines.length === 1)) return true;
  const middles = cells.map(({ lines }) => ((lines[0]?.up ?? 0) + (lines.at(-1)?.up ?? 0)) / 2);
  return Math.max(...middles) - Math.min(...middles) < sameMiddle * size;
}

/** The parts of rows that are above each other, from left to right. */
function cellsOf(rows: readonly Row[]): Cell[] {
  const segments = rows.flatMap(segmentsOf).sort((a, b) => a.from - b.from);
  const cells: Cell[] = [];
  for (const { from, to, up, size, pieces } of segments) {
    const last = cells.at(-1);
    if (last && from < last.to) {
      last.to = Math.max(last.to, to);
      last.lines.push({ up, size, pieces });
    } else cells.push({ from, to, lines: [{ up, size, pieces }] });
  }
  for (const { lines } of cells) lines.sort((a, b) => b.up - a.up);
  return cells;
}

/** The parts of a row with wide gaps between them. */
function segmentsOf({ up, size, pieces }: Row) {
  const segments: { from: number; to: number; up: number; size: number; pieces: Piece[] }[] = [];
  for (const piece of pieces) {
    const last = segments.at(-1);
    if (last && piece.from - last.to < 0.55 * cellGap * size) {
      last.pieces.push(piece);
      if (!isBlank(piece.text)) last.to = Math.max(last.to, piece.to);
    } else if (!isBlank(piece.text)) segments.push({ from: piece.from, to: piece.to, up, size, pieces: [piece] });
  }
  return segments;
}
