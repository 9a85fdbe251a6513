import { isBlank, type Piece } from './pieces.js';
import { type Row, rowOf } from './rows.js';

/** A smaller piece this near to a larger one in height, in its own size, belongs to its row, as the number of a note does. */
const raised = 1;
const smaller = 0.85;
/** A much larger letter is the first one of a paragraph, beside which several lines stand. */
const muchSmaller = 0.4;
/** A piece of the same size belongs to a row whose height is nearer than this, as the lowered letter in the name of TeX does. */
const moved = 0.5;
/** A text that is longer than the larger one by this factor is not raised beside it, but the line itself. */
const longer = 4;
/** A lowered sign may be larger than the line in which it is, such as a large caret. */
const muchLarger = 0.75;
/** Pieces whose ends are nearer to each other than this multiple of the size touch: they are in one word, or a blank apart. */
const touching = 0.4;
/** A row of more pieces is no line of a text. Each piece would be compared with all of its neighbours. */
const longest = 1000;
/** How many rows above and below are looked at. */
const near = 2;

/** A piece with the row in which it is, and how wide the text is that it is part of in it. */
interface Placed {
  readonly piece: Piece;
  readonly row: number;
  readonly run: number;
  /** The piece beside which it is raised or lowered, or the one before it that is. */
  parent: Placed | undefined;
}

/** Moves raised and lowered pieces into the rows to which they belong: those of the pieces that they touch. */
export function withScripts(rows: readonly Row[]): Row[] {
  const placed = rows.map((row, at) => placedIn(row, at));
  const isNear = nearness(rows);
  for (const [at, all] of placed.entries()) {
    let last: Placed | undefined;
    for (const one of all) {
      // What follows a raised piece on its height is raised with it.
      const isNext = last?.parent && touch(last.piece, one.piece, one.piece.size) && isLike(last.piece, one.piece);
      one.parent = isNext ? last : isNear(at) ? parentOf(one, placed, rows) : undefined;
      last = one;
    }
  }
  if (placed.every((all) => all.every(({ parent }) => parent === undefined))) return [...rows];
  const kept: Piece[][] = rows.map(({ pieces }) => pieces.filter(({ text }) => isBlank(text)));
  for (const one of placed.flat()) kept[homeOf(one)]?.push(one.piece);
  return kept.flatMap((pieces, at) => {
    const [row, made] = [rows[at], rowOf(pieces)];
    if (row === undefined || made.size === 0) return [];
    // A larger sign that was moved into the row does not move the row.
    const isHome = placed[at]?.some(({ piece, parent }) => parent === undefined && piece.size === row.size);
    return [isHome ? { ...made, up: row.up, size: row.size } : made];
  });
}

const isLike = (one: Piece, other: Piece) => one.size === other.size && Math.abs(one.up - other.up) < 0.05 * one.size;

function homeOf(one: Placed): number {
  let root = one;
  for (let depth = 0; root.parent && depth < longest; depth += 1) root = root.parent;
  return root.row;
}

/** The pieces of a row that are no blanks. */
function placedIn({ pieces }: Row, row: number): Placed[] {
  const drawn = pieces.filter(({ text }) => !isBlank(text));
  const runs: { width: number; end: number }[] = [];
  const ofRun = drawn.map((piece, at) => {
    const last = drawn[at - 1];
    const run = runs.at(-1);
    if (last && run && piece.from - run.end < touching * Math.max(last.size, piece.size)) {
      run.end = Math.max(run.end, piece.to);
      run.width += piece.to - piece.from;
      return run;
    }
    const begun = { width: piece.to - piece.from, end: piece.to };
    runs.push(begun);
    return begun;
  });
  return drawn.map((piece, at) => ({ piece, row, run: ofRun[at]?.width ?? 0, parent: undefined }));
}

/** Whether a row has another one so near that one of its pieces may belong there. */
const nearness = (rows: readonly Row[]) => (at: number) =>
  [at - 1, at + 1].some((other) => {
    const [row, next] = [rows[at], rows[other]];
    return row && next && Math.abs(row.up - next.up) < (raised + moved) * Math.max(row.size, next.size);
  });

/** The piece of another row that is the nearest in height among those that one touches and may belong to. */
function parentOf(one: Placed, placed: readonly (readonly Placed[])[], rows: readonly Row[]): Placed | undefined {
  let nearest: Placed | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (let at = one.row - near; at <= one.row + near; at += 1) {
    const row = rows[at];
    const others = placed[at];
    if (at === one.row || row === undefined || others === undefined || others.length > longest) continue;
    if (Math.abs(row.up - one.piece.up) > (raised + moved) * row.size) continue;
    for (const other of others) {
      const distance = Math.abs(other.piece.up - one.piece.up);
      if (distance < least && touch(one.piece, other.piece, other.piece.size) && belongs(one, other, distance)) {
        nearest = other;
        least = distance;
      }
    }
  }
  return nearest;
}

function belongs(one: Placed, other: Placed, distance: number): boolean {
  const [size, larger] = [one.piece.size, other.piece.size];
  const most = size < muchLarger * larger ? longer * other.run : other.run;
  if (size < smaller * larger && one.run < most) {
    return size > muchSmaller * larger && distance < raised * size;
  }
  return larger >= muchLarger * size && one.run < other.run && distance < moved * size;
}

/** Whether one piece begins where the other one ends. Pieces above each other do not. */
function touch(one: Piece, other: Piece, size: number): boolean {
  const least = touching * size;
  return Math.abs(one.from - other.to) < least || Math.abs(other.from - one.to) < least;
}
