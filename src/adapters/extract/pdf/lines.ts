import { type Block, cellGap } from './columns.js';
import { blankGap, isBlank, isRightToLeft } from './pieces.js';
import type { Row } from './rows.js';

/** A gap between two lines that is larger than this multiple of their height separates two paragraphs. */
const paragraphGap = 1.7;

/** The text of rows, with a line for each, and an empty line between paragraphs. */
export function textOfBlocks(blocks: readonly Block[]): string {
  return blocks
    .map((rows) =>
      rows
        .map((row, at) => {
          const above = rows[at - 1];
          const isApart = above !== undefined && above.up - row.up > paragraphGap * Math.max(above.size, row.size);
          return `${isApart ? '\n' : ''}${lineOf(row)}`;
        })
        .join('\n'),
    )
    .join('\n\n');
}

/** The pieces of a row with blanks and tabs between them, in the order in which they are read. */
function lineOf({ pieces }: Row): string {
  const tokens: string[] = [];
  let end: number | null = null;
  let blank = false;
  for (const { text, from, to, size } of pieces) {
    if (isBlank(text)) {
      blank = true;
      continue;
    }
    if (end !== null) {
      const gap = (from - end) / size;
      if (gap > cellGap) tokens.push('\t');
      else if (gap > blankGap || (blank && gap > -blankGap)) tokens.push(' ');
    }
    tokens.push(text);
    end = Math.max(end ?? to, to);
    blank = false;
  }
  return asRead(tokens).join('');
}

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
  const senses = tokens.map(senseOf);
  const left = senses.filter((sense) => sense === 'left').length;
  if (left === 0) return tokens;
  const leads = left >= senses.filter((sense) => sense === 'right').length ? 'left' : 'right';
  const read = leads === 'left' ? [...tokens].reverse() : [...tokens];
  return turnedRuns(read, leads === 'left' ? 'right' : 'left');
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
