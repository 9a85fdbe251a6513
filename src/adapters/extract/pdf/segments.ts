import { isBlank, type Piece } from './pieces.js';
import type { Row } from './rows.js';

/** Pieces with a gap of more than this multiple of their size between them are in two cells, or two columns. */
export const cellGap = 1;

/** A part of a row, before and after which there is a wide gap, or nothing. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly up: number;
  readonly size: number;
  readonly words: number;
  readonly text: string;
  /** The first and last of its pieces in the order of drawing. */
  readonly first: number;
  readonly last: number;
  readonly pieces: readonly Piece[];
}

type Open = { -readonly [Member in keyof Segment]: Segment[Member] } & { readonly pieces: Piece[] };

/** The parts of a row between which there are gaps of more than this multiple of the size. */
export function segmentsOf({ pieces, up, size: rowSize }: Row, gap = cellGap): Segment[] {
  const segments: Open[] = [];
  for (const piece of pieces) {
    const { text, from, to, size, order } = piece;
    const last = segments.at(-1);
    if (isBlank(text)) {
      last?.pieces.push(piece);
      continue;
    }
    if (last === undefined || from - last.to >= gap * size) {
      segments.push({ from, to, up, size: rowSize, words: 1, text, first: order, last: order, pieces: [piece] });
      continue;
    }
    const isWord = from - last.to > 0.1 * size;
    last.pieces.push(piece);
    last.to = Math.max(last.to, to);
    last.words += isWord ? 1 : 0;
    last.text += isWord ? ` ${text}` : text;
    last.first = Math.min(last.first, order);
    last.last = Math.max(last.last, order);
  }
  return segments;
}
