import { isBlank, type Piece } from './pieces.js';

/** Everything on one height, from left to right. */
export interface Row {
  readonly up: number;
  readonly size: number;
  readonly pieces: readonly Piece[];
}

/** Pieces whose heights differ by less than this multiple of their size are in one row. */
const sameRow = 0.3;
/** A smaller piece this near to the row of a larger one, in its own size, belongs to it, as the number of a note does. */
const raised = 1;
const smaller = 0.85;
/** A much larger letter is the first one of a paragraph, beside which several lines stand. */
const muchSmaller = 0.4;
/** A row of more pieces is no line of a text. Each piece would be compared with all of its neighbours. */
const longest = 1000;
/** How many rows above and below are looked at for a larger one. */
const near = 2;

/** The rows of these pieces from above. Blanks are among them, but none has only blanks. */
export function rowsOf(pieces: readonly Piece[]): Row[] {
  const sorted = [...pieces].sort((a, b) => b.up - a.up);
  const rows: Piece[][] = [];
  let first: Piece | undefined;
  for (const piece of sorted) {
    if (first !== undefined && first.up - piece.up < sameRow * Math.min(first.size, piece.size)) {
      rows.at(-1)?.push(piece);
    } else {
      rows.push([piece]);
      first = piece;
    }
  }
  return withRaised(rows.map(rowOf)).filter(({ pieces: all }) => all.some(({ text }) => !isBlank(text)));
}

export function rowOf(pieces: readonly Piece[]): Row {
  const sorted = [...pieces].sort((a, b) => a.from - b.from || a.to - b.to);
  const largest = sorted.reduce((most, piece) => Math.max(most, isBlank(piece.text) ? 0 : piece.size), 0);
  const base = sorted.find(({ size, text }) => size === largest && !isBlank(text));
  return { up: base?.up ?? sorted[0]?.up ?? 0, size: largest, pieces: sorted };
}

/** Moves raised and lowered pieces into the rows to which they belong. */
function withRaised(rows: readonly Row[]): Row[] {
  const moved = new Map<number, Piece[]>();
  const kept = rows.map((row, at) =>
    row.pieces.filter((piece) => {
      const home = isBlank(piece.text) ? undefined : homeOf(piece, at, rows);
      if (home === undefined) return true;
      const there = moved.get(home);
      if (there) there.push(piece);
      else moved.set(home, [piece]);
      return false;
    }),
  );
  return kept.map((pieces, at) => rowOf([...pieces, ...(moved.get(at) ?? [])]));
}

function homeOf(piece: Piece, at: number, rows: readonly Row[]): number | undefined {
  for (let other = at - near; other <= at + near; other += 1) {
    const row = rows[other];
    if (row === undefined || other === at || row.pieces.length > longest) continue;
    const isSmaller = piece.size < smaller * row.size && piece.size > muchSmaller * row.size;
    const isNear = isSmaller && Math.abs(piece.up - row.up) < raised * piece.size;
    if (isNear && row.pieces.some((large) => touches(piece, large, row.size))) return other;
  }
  return undefined;
}

function touches(small: Piece, large: Piece, size: number): boolean {
  const isLarger = !isBlank(large.text) && small.size < smaller * large.size;
  return isLarger && small.from < large.to + 0.4 * size && small.to > large.from - 0.4 * size;
}
