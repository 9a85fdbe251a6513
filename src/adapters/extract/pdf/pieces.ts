import type { Letter } from './letters.js';

/** A part of a line without a gap in it: a word, or a piece of one, or a blank. */
export interface Piece {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly up: number;
  readonly size: number;
  /** Which piece of the page it is in the order of drawing. */
  readonly order: number;
}

/** A gap that is wider than this multiple of the size stands for a blank. */
export const blankGap = 0.16;
/** Two letters may overlap by this much. */
const overlap = 0.5;
/** Letters on one line differ in height by less than this. */
const sameHeight = 0.2;
/** Gaps between letters that are wider than this, and alike, are an ornament and no blanks. */
const ornamental = 0.12;
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

export const isRightToLeft = (text: string) => rightToLeft.test(text);
export const isBlank = (text: string) => text.trim() === '';

/** Joins letters that follow each other without a gap, in the order in which they are given. */
export function piecesOf(letters: readonly Letter[]): Piece[] {
  const pieces: Piece[] = [];
  for (const run of runsOf(letters)) {
    const gap = gapOf(run);
    let open: Letter[] = [];
    const close = () => {
      if (open.length > 0) pieces.push(pieceOf(open, pieces.length));
      open = [];
    };
    for (const letter of run) {
      const last = open.at(-1);
      const isAlone = isBlank(letter.text) || isRightToLeft(letter.text);
      if (
        last !== undefined &&
        (isAlone || isBlank(last.text) || isRightToLeft(last.text) || !follows(last, letter, gap))
      ) {
        close();
      }
      open.push(letter);
    }
    close();
  }
  return pieces;
}

function pieceOf(letters: readonly Letter[], order: number): Piece {
  const [first, last] = [letters[0], letters.at(-1)];
  if (first === undefined || last === undefined) throw new Error('A piece has letters.');
  return {
    text: letters.map(({ text }) => text).join(''),
    from: first.along,
    to: Math.max(first.along, last.along + last.width),
    up: first.up,
    size: first.size,
    order,
  };
}

function follows(last: Letter, letter: Letter, gap: number): boolean {
  const size = Math.max(last.size, letter.size);
  const between = letter.along - last.along - last.width;
  return Math.abs(letter.up - last.up) < sameHeight * size && between > -overlap * size && between < gap * size;
}

/** Letters and blanks that follow each other on one line, with gaps of less than the size. */
function runsOf(letters: readonly Letter[]): Letter[][] {
  const runs: Letter[][] = [];
  let last: Letter | undefined;
  for (const letter of letters) {
    if (last !== undefined && follows(last, letter, 1)) runs.at(-1)?.push(letter);
    else runs.push([letter]);
    last = letter;
  }
  return runs;
}

/** The gap from which on two letters of a run belong to two words, in sizes. It is larger where all letters stand apart. */
function gapOf(run: readonly Letter[]): number {
  const gaps: number[] = [];
  let letters = 0;
  for (const [at, letter] of run.entries()) {
    const last = run[at - 1];
    if (/\p{L}/u.test(letter.text)) letters += 1;
    if (last === undefined || isBlank(last.text) || isBlank(letter.text)) continue;
    gaps.push((letter.along - last.along - last.width) / letter.size);
  }
  const median = gaps.sort((a, b) => a - b)[gaps.length >> 1] ?? 0;
  const isOrnament = gaps.length >= 4 && median > ornamental && letters > 0.7 * run.length;
  return isOrnament ? Math.max(blankGap, 1.35 * median + 0.1) : blankGap;
}
