import { pairsIn } from './pairs.js';
import { isBlank, type Piece } from './pieces.js';
import { type Row, rowOf } from './rows.js';
import { type Segment, segmentsOf } from './segments.js';
import { isTable } from './table-rows.js';

/** Rows that are read one after the other. After each group an empty line follows. */
export type Block = readonly Row[];

/** A gap of more than this multiple of the size between two rows ends what stands above: notes at the foot follow. */
const partGap = 3.2;
/** A column has at least this number of rows, with this number of words on average. */
const fewestRows = 3;
const fewestWords = 2.5;
/** At least this share of the rows of a column is full: headings, last lines and tables within it are not. */
const fullRows = 0.35;
/** A full row fills this share of the width of its column. */
const full = 0.85;
/** The share of rows that may cross the gap between two columns, as a title does. */
const crossing = 0.4;
/** How deep columns and parts may be nested in each other. */
const maxDepth = 12;
/** With more rows than these a page is no text in columns. */
const maxRows = 3000;

/**
 * The rows of a page in the order of reading. Columns of a text are read one after the other, and so are those that each have labels
 * with values. A table is read row by row: its cells have few words, or do not fill their columns.
 */
export function inReadingOrder(rows: readonly Row[], depth = 0): Block[] {
  if (rows.length < fewestRows || depth > maxDepth || rows.length > maxRows) return rows.length > 0 ? [rows] : [];
  const parts = partsOf(rows);
  if (parts.length > 1) return parts.flatMap((part) => inReadingOrder(part, depth + 1));
  const found = widestBand(rows);
  if (found === null) return [rows];
  const { from, to, gap } = found;
  const band = rows.slice(from, to);
  const side = (isHere: (piece: Piece) => boolean) =>
    band
      .map((row) => row.pieces.filter(isHere))
      .filter((pieces) => pieces.some(({ text }) => !isBlank(text)))
      .map(rowOf);
  return [
    ...inReadingOrder(rows.slice(0, from), depth + 1),
    ...inReadingOrder(
      side((piece) => middleOf(piece) < gap),
      depth + 1,
    ),
    ...inReadingOrder(
      side((piece) => middleOf(piece) >= gap),
      depth + 1,
    ),
    ...inReadingOrder(rows.slice(to), depth + 1),
  ];
}

const middleOf = ({ from, to }: Piece) => (from + to) / 2;

function partsOf(rows: readonly Row[]): Row[][] {
  const parts: Row[][] = [];
  for (const [at, row] of rows.entries()) {
    const above = rows[at - 1];
    if (above === undefined || above.up - row.up > partGap * Math.max(above.size, row.size)) parts.push([row]);
    else parts.at(-1)?.push(row);
  }
  return parts;
}

interface Band {
  readonly from: number;
  readonly to: number;
  readonly gap: number;
}

/** The longest band of rows that has columns. */
function widestBand(rows: readonly Row[]): Band | null {
  const segments = rows.map((row) => segmentsOf(row));
  let best: Band | null = null;
  for (const gap of gapsOf(rows, segments)) {
    for (let from = 0; from < rows.length; from += 1) {
      let to = from;
      while (to < rows.length && !segments[to]?.some((one) => one.from < gap && one.to > gap)) to += 1;
      const least = best === null ? 0 : best.to - best.from;
      if (to - from > least) {
        const isColumns = hasColumns(rows.slice(from, to), segments.slice(from, to), gap);
        const found = isColumns ? { from, to } : pairsIn(segments, gap, from, to);
        if (found !== null && found.to - found.from > least) best = { ...found, gap };
      }
      from = to;
    }
  }
  return best;
}

/** Places where most rows have no text, each in the middle of such a gap. */
function gapsOf(rows: readonly Row[], segments: readonly (readonly Segment[])[]): number[] {
  const all = segments.flat();
  const unit = Math.max(1, ...rows.slice(0, 50).map(({ size }) => size)) / 4;
  const start = all.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY);
  const end = all.reduce((most, { to }) => Math.max(most, to), Number.NEGATIVE_INFINITY);
  const bins = Math.min(4000, Math.ceil((end - start) / unit));
  const changes = new Array<number>(bins + 2).fill(0);
  const add = (place: number, change: number) => {
    const at = Math.min(bins + 1, Math.max(0, place));
    changes[at] = (changes[at] ?? 0) + change;
  };
  for (const { from, to } of all) {
    add(Math.floor((from - start) / unit), 1);
    add(Math.ceil((to - start) / unit), -1);
  }
  const gaps: number[] = [];
  let covered = 0;
  let low: { from: number; least: number; at: number[] } | null = null;
  for (let bin = 0; bin < bins; bin += 1) {
    covered += changes[bin] ?? 0;
    if (covered <= crossing * rows.length) {
      if (low === null || covered < low.least) low = { from: bin, least: covered, at: [] };
      if (covered === low.least) low.at.push(bin);
    } else if (low) {
      gaps.push(start + ((low.at[low.at.length >> 1] ?? 0) + 0.5) * unit);
      low = null;
    }
  }
  return gaps.slice(0, 20);
}

/** Whether what stands on both sides of a gap are columns of a text, and not the cells of a table. */
function hasColumns(rows: readonly Row[], segments: readonly (readonly Segment[])[], gap: number): boolean {
  if (rows.length < 2 * fewestRows) return false;
  const size = Math.max(...rows.slice(0, 50).map((row) => row.size));
  const sides = [
    segments.map((all) => all.filter(({ to }) => to <= gap)),
    segments.map((all) => all.filter(({ from }) => from >= gap)),
  ] as const;
  const [left, right] = [sides[0].filter((all) => all.length > 0), sides[1].filter((all) => all.length > 0)];
  const leftEnd = Math.max(...left.map((all) => all.at(-1)?.to ?? 0));
  const rightStart = Math.min(...right.map((all) => all[0]?.from ?? 0));
  return rightStart - leftEnd > 0.7 * size && isText(left) && isText(right) && !isTable(...sides, size);
}

function isText(side: readonly (readonly Segment[])[]): boolean {
  if (side.length < fewestRows) return false;
  const segments = side.flat();
  const words = segments.reduce((sum, one) => sum + one.words, 0) / segments.length;
  const from = Math.min(...side.map((all) => all[0]?.from ?? 0));
  const widths = side.map((all) => (all.at(-1)?.to ?? 0) - (all[0]?.from ?? 0));
  const widest = Math.max(...side.map((all) => all.at(-1)?.to ?? 0)) - from;
  const filled = widths.filter((width) => width > full * widest).length;
  return words >= fewestWords && filled > fullRows * side.length;
}
