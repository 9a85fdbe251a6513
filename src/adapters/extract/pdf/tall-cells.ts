import { withoutBreaks } from './hyphens.js';
import { lineOf } from './lines.js';
import { isBlank, type Piece } from './pieces.js';
import type { Row } from './rows.js';
import { type Segment, segmentsOf } from './segments.js';

/** A gap of this multiple of the size is between two cells. */
const cellGap = 0.8;
/** Lines of one cell are nearer to each other than this multiple of their size, and in distances that differ by less than `even`. */
const leading = 1.5;
const even = 0.06;
/** The rows of a table that are further from each other than the lines within them are so by this factor at least. */
const padding = 1.12;
/** More rows are no lines of one cell. */
const mostLines = 40;
/** Lines that were broken have this number of words on average, or more, and fill this share of the width of the cell on average. */
const fewestWords = 2.5;
const filled = 0.6;
/** Rows in which each cell has this number of words are texts, and not the rows of a table with one line for each. */
const wordy = 2.5;
/** The gap between two cells is wider than that between two words by this factor. */
const stretched = 1.5;
/** The widest empty margin between a filled cell and the next one, in sizes. */
const margin = 2.5;
/** How far the lines of a cell may begin from each other, in sizes. */
const aligned = 0.4;

/** The lines of one cell, from above. */
type Cell = Segment[];

/**
 * Joins the lines of cells in tables whose cells begin at the same height and have several lines. They would be read line by line
 * across the cells otherwise. Rows stay as they are where nothing shows that a line continues the one above: the cell was
 * filled, or the lines of a cell were drawn before the next cell.
 */
export function withTallCells(rows: readonly Row[]): Row[] {
  if (rows.length < 2) return [...rows];
  const lines = rows.map((row) => segmentsOf(row, cellGap));
  const made: Row[] = [];
  for (let at = 0; at < rows.length; ) {
    const found = (lines[at]?.length ?? 0) > 1 ? groupAt(rows, lines, at) : null;
    made.push(...(found ? [joined(found.cells)] : rows.slice(at, at + 1)));
    at = found ? found.end : at + 1;
  }
  return made;
}

interface Group {
  readonly cells: readonly Cell[];
  readonly end: number;
}

/** The lines of a row of a table that begins here. */
function groupAt(rows: readonly Row[], lines: readonly (readonly Segment[])[], from: number): Group | null {
  const head = lines[from] ?? [];
  const step = distance(rows, from + 1);
  if (step > leading * (rows[from]?.size ?? 0)) return null;
  const top: Cell[] = head.map((segment) => [segment]);
  const isEven = (at: number) => Math.abs(distance(rows, at) - step) < even * step;
  let end = from + 1;
  while (end < rows.length && end - from < mostLines && isEven(end) && fits(lines[end] ?? [], top)) end += 1;
  const isPadded = distance(rows, from) > padding * step && distance(rows, end) > padding * step;
  const areTexts = isPadded && wordsIn(lines.slice(from, end).flat()) >= wordy;
  const isOther = (line: readonly Segment[]) => line.length >= head.length && !isDrawnWith(line, top);
  const other = lines.slice(from + 1, end).findIndex(isOther);
  const first = other < 0 ? end : from + 1 + other;
  for (const until of areTexts && first < end ? [end, first] : [first]) {
    const cells: Cell[] = head.map((segment) => [segment]);
    for (const line of lines.slice(from + 1, until)) put(line, cells);
    const around = [...lines.slice(Math.max(0, from - mostLines), from), ...lines.slice(until, until + mostLines)];
    const isTable = around.some((line) => hasCellBelow(line, cells));
    if (until - from > 1 && isTable && isOneRow(cells, isPadded && until === end)) return { cells, end: until };
  }
  return null;
}

const distance = (rows: readonly Row[], at: number) =>
  (rows[at - 1]?.up ?? Number.POSITIVE_INFINITY) - (rows[at]?.up ?? Number.NEGATIVE_INFINITY);

/** The cell in which a line stands: it begins or ends where that cell does, and does not reach the next one. */
function cellOf(line: Segment, cells: readonly Cell[]): number {
  return cells.findIndex(([first], at) => {
    const next = cells[at + 1]?.[0];
    if (first === undefined || (next && line.to > next.from)) return false;
    const least = aligned * line.size;
    return Math.abs(line.from - first.from) < least;
  });
}

const fits = (line: readonly Segment[], cells: readonly Cell[]) =>
  line.length > 0 && line.every((segment) => cellOf(segment, cells) >= 0);

function put(line: readonly Segment[], cells: readonly Cell[]): void {
  for (const segment of line) cells[cellOf(segment, cells)]?.push(segment);
}

/** Whether a line was drawn before the cell right of that which it continues. */
function isDrawnWith(line: readonly Segment[], cells: readonly Cell[]): boolean {
  return line.some((segment) => {
    const next = cells[cellOf(segment, cells) + 1]?.[0];
    return next !== undefined && segment.last < next.first;
  });
}

/**
 * Whether another row has several cells, one of which begins where one of these does. Numbers may also end there. Texts may not:
 * most lines of a text end at one place, and a wide blank in one of them is no gap between cells.
 */
function hasCellBelow(line: readonly Segment[], cells: readonly Cell[]): boolean {
  return line.slice(1).some((other) =>
    cells.slice(1).some(([first]) => {
      if (first === undefined) return false;
      const ends =
        isNumber(other) && isNumber(first) ? [first.from - other.from, first.to - other.to] : [first.from - other.from];
      return ends.some((shift) => Math.abs(shift) < 0.5 * aligned * first.size);
    }),
  );
}

/** Whether these lines are one row of a table. @param isPadded whether they are apart from the rows above and below */
function isOneRow(cells: readonly Cell[], isPadded: boolean): boolean {
  // The order of the words is the same if only the last cell has several lines.
  if (cells.slice(0, -1).every(({ length }) => length === 1)) return false;
  if (cells.some((cell) => cell.some((line, at) => at > 0 && isNumber(line) && isNumber(cell[at - 1])))) return false;
  if (!cells.some((cell) => cell.length > 1 && cell.some(({ words }) => words > 1)) || !areApart(cells)) return false;
  if (cells.some(({ length }) => length === 1) && areDrawnByCells(cells)) return true;
  const isBroken = (cell: Cell, at: number) => wordsIn(cell) >= fewestWords && areFull(cell, cells[at + 1]);
  return (isPadded || areDrawnByCells(cells)) && cells.every((cell, at) => cell.length === 1 || isBroken(cell, at));
}

/** Whether the gaps between cells are much wider than those between the words of each. In a stretched line they are alike. */
function areApart(cells: readonly Cell[]): boolean {
  const blanks = cells.flat().flatMap(({ pieces }) => {
    const drawn = pieces.filter(({ text }) => !isBlank(text));
    return drawn.slice(1).flatMap(({ from, size }, at) => {
      const gap = from - (drawn[at]?.to ?? from);
      return gap > 0.1 * size ? [gap] : [];
    });
  });
  const widest = Math.max(0, ...blanks);
  return cells.every((cell, at) => {
    const next = cells[at + 1]?.[0];
    return next === undefined || next.from - Math.max(...cell.map(({ to }) => to)) > stretched * widest;
  });
}

const wordsIn = (lines: readonly Segment[]) => lines.reduce((sum, { words }) => sum + words, 0) / lines.length;
const isNumber = (line: Segment | undefined) => line !== undefined && !/\p{L}/u.test(line.text);

/** Whether the first word of each line would not have had room in the line above. */
function areFull(cell: Cell, next: Cell | undefined): boolean {
  const end = next ? Math.min(...next.map(({ from }) => from)) : Math.max(...cell.map(({ to }) => to));
  const widths = cell.slice(0, -1).map((line) => (line.to - line.from) / (end - line.from));
  if (widths.reduce((sum, width) => sum + width, 0) < filled * widths.length) return false;
  return cell.every((line, at) => {
    const below = cell[at + 1];
    if (below === undefined) return true;
    const word = below.text.split(' ')[0]?.length ?? 0;
    const width = ((below.to - below.from) * word) / Math.max(1, below.text.length);
    return line.to + 0.3 * line.size + width > end - margin * line.size;
  });
}

/** Whether all lines of each cell were drawn before, or after, those of every other cell. */
function areDrawnByCells(cells: readonly Cell[]): boolean {
  const ranges = cells.map((cell) => ({
    first: Math.min(...cell.map(({ first }) => first)),
    last: Math.max(...cell.map(({ last }) => last)),
  }));
  ranges.sort((a, b) => a.first - b.first);
  return ranges.every(({ first }, at) => first > (ranges[at - 1]?.last ?? Number.NEGATIVE_INFINITY));
}

function joined(cells: readonly Cell[]): Row {
  const up = cells[0]?.[0]?.up ?? 0;
  const size = Math.max(...cells.flat().map((line) => line.size));
  const low = Math.min(...cells.flat().map((line) => line.up));
  return { up, low, size, pieces: cells.map((cell) => inOneLine(cell, up, size)) };
}

/** The lines of a cell as one piece. */
export function inOneLine(lines: readonly { readonly pieces: readonly Piece[] }[], up: number, size: number): Piece {
  const text = withoutBreaks(lines.map((line) => lineOf(line)).join('\n')).replaceAll('\n', ' ');
  const pieces = lines.flatMap((line) => line.pieces);
  const from = Math.min(...pieces.map((piece) => piece.from));
  const to = Math.max(...pieces.map((piece) => piece.to));
  return { text, from, to, up, size, order: pieces[0]?.order ?? 0 };
}
