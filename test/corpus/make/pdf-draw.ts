import type { FontOf } from './pdf-writer.js';

/** The widths of the characters from the blank to the tilde in Helvetica, in thousandths of the size. */
const helvetica = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
  556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
  260, 334, 584,
];

/** The width of a text in Helvetica, in points. */
export function widthOf(text: string, size: number): number {
  let thousandths = 0;
  for (const character of text) thousandths += helvetica[character.charCodeAt(0) - 32] ?? 556;
  return (thousandths * size) / 1000;
}

export interface Style {
  readonly size?: number;
  /** F1 is Helvetica, F2 the same in bold, F3 Courier. */
  readonly font?: string;
  /** Operators before the text, such as `2 Tc`. */
  readonly before?: string;
}

const places = (number: number) => Number(number.toFixed(2));
export const literal = (text: string) => `(${text.replace(/[\\()]/g, '\\$&')})`;

/** Draws a text whose left end is at x. */
export function at(x: number, y: number, text: string, { size = 10, font = 'F1', before = '' }: Style = {}): string {
  const draw = `BT /${font} ${size} Tf ${before} ${places(x)} ${places(y)} Td ${literal(text)} Tj ET`;
  // What the operators set would hold for later texts too.
  return before === '' ? `${draw}\n` : `q ${draw} Q\n`;
}

/** Draws a text whose right end is at x. */
export function endAt(x: number, y: number, text: string, style: Style = {}): string {
  return at(x - widthOf(text, style.size ?? 10), y, text, style);
}

/** Draws a text in a font of the script's own. */
export function inFont(font: FontOf, x: number, y: number, text: string, size = 10): string {
  return `BT /${font.name} ${size} Tf ${places(x)} ${places(y)} Td ${font.codes(text)} Tj ET\n`;
}

/** Draws a text by a matrix: a b c d turn and scale it, x and y are where it begins. */
export function turned(matrix: readonly number[], text: string, style: Style = {}): string {
  const numbers = matrix.map((number) => Number(number.toFixed(4))).join(' ');
  return `BT /${style.font ?? 'F1'} ${style.size ?? 10} Tf ${numbers} Tm ${literal(text)} Tj ET\n`;
}

/** Draws lines below each other. */
export function lines(x: number, y: number, texts: readonly string[], leading = 12, style: Style = {}): string {
  return texts.map((text, n) => at(x, y - n * leading, text, style)).join('');
}

/** Draws every letter by itself, at the place where it would stand in the whole text. */
export function byLetters(x: number, y: number, text: string, size = 10, spread = 0): string {
  return [...text]
    .map((letter, n) =>
      letter === ' ' ? '' : at(x + widthOf(text.slice(0, n), size) + n * spread, y, letter, { size }),
    )
    .join('');
}

/** A line of the drawing, as tables have between their cells. */
export const rule = (x1: number, y1: number, x2: number, y2: number) => `0.5 w ${x1} ${y1} m ${x2} ${y2} l S\n`;

/** Breaks a text into lines that are no wider than this number of points. */
export function wrapped(text: string, width: number, size = 10): string[] {
  const made: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && widthOf(`${line} ${word}`, size) > width) {
      made.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...made, line];
}

/** The first words of an endless text about nothing in particular, the same in every run. */
export function prose(words: number, start = 0): string {
  const nouns = 'harbour lantern orchard ferry cellar meadow archive copper window quarry bridge almanac'.split(' ');
  const verbs = 'keeps opens measures crosses lifts repairs counts follows borrows paints'.split(' ');
  const made: string[] = [];
  for (let n = start; made.length < words; n += 1) {
    const noun = nouns[(n * 7 + 3) % nouns.length] ?? '';
    const other = nouns[(n * 5 + 8) % nouns.length] ?? '';
    made.push('The', noun, verbs[(n * 3) % verbs.length] ?? '', 'the', `${other},`, 'number', `${n + 100}.`);
  }
  return made.slice(0, words).join(' ');
}
