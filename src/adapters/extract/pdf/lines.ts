import type { Block } from './columns.js';
import { blankGap, isBlank, isRightToLeft, type Piece } from './pieces.js';
import type { Row } from './rows.js';
import { cellGap } from './segments.js';

/** A gap between two lines that is larger than this multiple of their height separates two paragraphs. */
const paragraphGap = 1.7;

/** The text of rows, with a line for each, and an empty line between paragraphs. */
export function textOfBlocks(blocks: readonly Block[]): string {
  let text = '';
  for (const rows of blocks) {
    for (const [at, row] of rows.entries()) {
      const above = rows[at - 1];
      const line = lineOf(row);
      const isApart = above ? isParagraph(above, row, text, line) : !continues(text, line);
      if (text !== '') text += isApart ? '\n\n' : '\n';
      text += line;
    }
  }
  return text;
}

/** Rows of a table may be further from each other than the lines of a text. */
const tableGap = 3;

function isParagraph(above: Row, row: Row, text: string, line: string): boolean {
  const isTable = line.includes('\t') && text.slice(text.lastIndexOf('\n') + 1).includes('\t');
  return (above.low ?? above.up) - row.up > (isTable ? tableGap : paragraphGap) * Math.max(above.size, row.size);
}

/** Whether a line at the top of a column is the rest of a sentence at the foot of the one before. */
const continues = (text: string, line: string) => /[\p{L}\p{N},-]$/u.test(text.slice(-2)) && /^\p{Ll}/u.test(line);

/** The pieces of a row with blanks and tabs between them, in the order in which they are read. */
export function lineOf({ pieces }: Pick<Row, 'pieces'>): string {
  const tokens: string[] = [];
  // Arabic letters are joined by lines of any length. Where a font has blanks, they are trusted.
  const hasBlanks = pieces.some(({ text }) => isBlank(text));
  const least = hasCells(pieces) ? nearCells : cellGap;
  let end: number | null = null;
  let last = '';
  let blank = false;
  for (const { text, from, to, size } of pieces) {
    if (isBlank(text)) {
      blank = true;
      continue;
    }
    if (end !== null) {
      const gap = (from - end) / size;
      if (gap > least) tokens.push('\t');
      else if (
        gap > (hasBlanks && isCursive(last) && isCursive(text) ? cursiveGap : blankGap) ||
        (blank && gap > -blankGap)
      )
        tokens.push(' ');
    }
    tokens.push(text);
    last = text;
    end = Math.max(end ?? to, to);
    blank = false;
  }
  return asRead(tokens).join('');
}

/** In a row that has a wide gap between cells, a gap of this multiple of the size separates two cells as well. */
const nearCells = 0.55;

function hasCells(pieces: readonly Piece[]): boolean {
  const drawn = pieces.filter(({ text }) => !isBlank(text));
  return drawn.some(({ from, size }, at) => from - (drawn[at - 1]?.to ?? from) > cellGap * size);
}

const isCursive = (text: string) => /^[\u0600-\u06ff]/.test(text);
/** A gap between two Arabic letters that stands for a blank although the line has blanks. */
const cursiveGap = 0.45;

type Sense = 'right' | 'left' | 'none';

function senseOf(token: string): Sense {
  if (isRightToLeft(token)) return 'left';
  return /[\p{L}\p{N}]/u.test(token) ? 'right' : 'none';
}

/**
 * Tokens from left to right in the order in which they are read. Hebrew and Arabic are read from right to left, and within
 * them numbers and words of other scripts from left to right.
 */
function asRead(tokens: readonly string[]): readonly string[] {
  const lengthOf = (sense: Sense) =>
    tokens.reduce((sum, token) => sum + (senseOf(token) === sense ? token.replace(/\P{L}/gu, '').length : 0), 0);
  const left = lengthOf('left');
  if (left === 0) return tokens;
  const leads = left >= lengthOf('right') ? 'left' : 'right';
  const read = leads === 'left' ? withBrackets([...tokens].reverse()) : [...tokens];
  return turnedRuns(read, leads === 'left' ? 'right' : 'left');
}

const mirrored: Readonly<Record<string, string>> = { '(': ')', ')': '(', '[': ']', ']': '[' };

/** Brackets are drawn the other way round in such lines. Some files say what is drawn, and some what is meant. */
function withBrackets(tokens: readonly string[]): readonly string[] {
  const first = /[()[\]]/.exec(tokens.join(''))?.[0];
  if (first !== ')' && first !== ']') return tokens;
  return tokens.map((token) => token.replace(/[()[\]]/g, (bracket) => mirrored[bracket] ?? bracket));
}

/** Turns every run of tokens of a sense around, with what stands between them. */
function turnedRuns(tokens: readonly string[], sense: Sense): string[] {
  const made: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    if (senseOf(token) !== sense) {
      made.push(token);
      continue;
    }
    let end = at + 1;
    for (let next = end; next < tokens.length; next += 1) {
      const other = senseOf(tokens[next] ?? '');
      if (other === sense) end = next + 1;
      else if (other !== 'none') break;
    }
    made.push(...tokens.slice(at, end).reverse());
    at = end - 1;
  }
  return made;
}
