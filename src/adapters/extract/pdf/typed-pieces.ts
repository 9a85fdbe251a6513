import { turned } from './letters.js';
import type { Typed } from './page.js';
import type { Piece } from './pieces.js';

/** The size in which a value is taken to be written, in points: at most this, and less in a low box. */
const usualSize = 10;
const leading = 1.15;

/**
 * The lines of values and notes as pieces at the places where a viewer shows them. A value beside a label stands on the
 * line of that label.
 */
export function typedPieces(typed: readonly Typed[], degrees: number, drawn: readonly Piece[]): Piece[] {
  const heights = drawn.map(({ up }) => up).sort((a, b) => a - b);
  return typed.flatMap(({ text, left, bottom, right, top }) => {
    const corners = [turned(degrees, left, bottom), turned(degrees, right, top)];
    const [from = 0, end = 0] = corners.map(([along]) => along).sort((a, b) => a - b);
    const [low = 0, high = 0] = corners.map(([, up]) => up).sort((a, b) => a - b);
    const lines = text.split(/\r\n?|\n/);
    const size = Math.max(1, Math.min(usualSize, 0.7 * (high - low)));
    const first = lines.length === 1 ? (low + high) / 2 - 0.35 * size : high - size;
    const base = nearest(heights, first, lines.length === 1 ? (high - low) / 2 : size);
    return lines.flatMap((line, at) => {
      const said = line.trim();
      if (said === '') return [];
      const to = Math.min(Math.max(end, from + 1), from + 0.5 * size * said.length);
      return [{ text: said, from, to, up: base - at * leading * size, size, order: drawn.length }];
    });
  });
}

/** The height of a drawn line that is nearest to this one, if it is no further away. */
function nearest(heights: readonly number[], wanted: number, within: number): number {
  let [low, high] = [0, heights.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((heights[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  const [above = Number.POSITIVE_INFINITY, below = Number.NEGATIVE_INFINITY] = [heights[low], heights[low - 1]];
  const found = above - wanted < wanted - below ? above : below;
  return Math.abs(found - wanted) <= within ? found : wanted;
}
