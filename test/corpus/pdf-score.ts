import type { Compare } from './make/pdf-case.js';

/** How much of an expected text was read, and how. Counts, so that the scores of several files can be added. */
export interface Score {
  /** The words that are expected, and how many of them were read. */
  readonly expected: number;
  readonly kept: number;
  /** The words that were read. */
  readonly read: number;
  /** Pairs of neighbours that are expected, and how many of them are neighbours in what was read. */
  readonly pairs: number;
  readonly pairsMatched: number;
  /** Words that were read and consist of several expected ones, such as `4,711.02EAST`. */
  readonly glued: number;
}

export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFC')
    .split(/\s+/)
    .filter((word) => word !== '');

function counted(all: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}

/** How many of the first are among the second, each at most as often as it is there. */
function shared(first: readonly string[], second: readonly string[]): number {
  const left = counted(second);
  let found = 0;
  for (const [one, count] of counted(first)) found += Math.min(count, left.get(one) ?? 0);
  return found;
}

const neighbours = (words: readonly string[]) => words.slice(1).map((word, at) => `${words[at]} ${word}`);

/** Whether a text is two or more of these words, without anything between them. */
function isGlued(text: string, known: ReadonlySet<string>): boolean {
  const reached = [true];
  for (let end = 1; end <= text.length; end += 1) {
    reached[end] = reached.some((isReached, start) => isReached && start < end && known.has(text.slice(start, end)));
  }
  return reached[text.length] === true && !known.has(text);
}

export function scoreOf(expectedText: string, readText: string): Score {
  const expected = wordsOf(expectedText);
  const read = wordsOf(readText);
  const known = new Set(expected);
  const pairs = neighbours(expected);
  return {
    expected: expected.length,
    kept: shared(expected, read),
    read: read.length,
    pairs: pairs.length,
    pairsMatched: shared(pairs, neighbours(read)),
    glued: read.filter((word) => word.length < 200 && isGlued(word, known)).length,
  };
}

export const noScore: Score = { expected: 0, kept: 0, read: 0, pairs: 0, pairsMatched: 0, glued: 0 };

export function sumOf(scores: readonly Score[]): Score {
  return scores.reduce(
    (sum, one) => ({
      expected: sum.expected + one.expected,
      kept: sum.kept + one.kept,
      read: sum.read + one.read,
      pairs: sum.pairs + one.pairs,
      pairsMatched: sum.pairsMatched + one.pairsMatched,
      glued: sum.glued + one.glued,
    }),
    noScore,
  );
}

/** A text as it is compared: lines with their cells, or words. */
function comparable(text: string, compare: Compare): string {
  if (compare === 'words') return wordsOf(text).join(' ');
  if (compare === 'bag') return wordsOf(text).sort().join(' ');
  const lines = text
    .normalize('NFC')
    .split('\n')
    .map((line) => line.trim().replace(/ *\t */g, '\t'));
  return lines.filter((line) => line !== '').join('\n');
}

/** Whether a text was read as it is expected. */
export function isAsExpected(expectedText: string, readText: string, compare: Compare): boolean {
  if (compare !== 'kept') return comparable(expectedText, compare) === comparable(readText, compare);
  const { kept, expected, glued } = scoreOf(expectedText, readText);
  return kept === expected && glued === 0;
}
