import { isBlank, type Piece } from './pieces.js';

/** Everything on one height, from left to right. */
export interface Row {
  readonly up: number;
  /** The height of its last line, if its cells have several. */
  readonly low?: number;
  readonly size: number;
  readonly pieces: readonly Piece[];
}

/** Pieces whose heights differ by less than this multiple of their size are in one row. */
const sameRow = 0.3;

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
  return rows.map(rowOf).filter(({ pieces: all }) => all.some(({ text }) => !isBlank(text)));
}

export function rowOf(pieces: readonly Piece[]): Row {
  const sorted = [...pieces].sort((a, b) => a.from - b.from || a.to - b.to);
  const largest = sorted.reduce((most, piece) => Math.max(most, isBlank(piece.text) ? 0 : piece.size), 0);
  const base = sorted.find(({ size, text }) => size === largest && !isBlank(text));
  return { up: base?.up ?? sorted[0]?.up ?? 0, size: largest, pieces: sorted };
}
