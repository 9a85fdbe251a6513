import type { Helped } from './rank.js';

/** A hit of a search, with what found it. */
export interface Ranked {
  readonly memoryId: string;
  /** From 0 to 1. It means the same in every search. */
  readonly score: number;
  /** The similarity of its text, and its place among the candidates by it; null where it found nothing. */
  readonly dense: ArmSignal | null;
  /** The share of the query's words that it has itself. */
  readonly keyword: ArmSignal | null;
  /** The part of the words that the memories around it lend to it. */
  readonly neighbours: { readonly score: number } | null;
  readonly helped: Helped;
  /** The words of the query that it has itself, as they are shown; `word ≈ other` where it has another spelling. */
  readonly matched: readonly string[];
}

interface ArmSignal {
  readonly rank: number;
  readonly score: number;
}

/**
 * A sentence for people that says what has found a memory.
 * @param by who said or wrote it, as it is written there
 */
export function whyOf(
  { dense, keyword, neighbours, helped, matched }: Omit<Ranked, 'memoryId' | 'score'>,
  by: string | null,
): string {
  const reasons: string[] = [];
  if (keyword) reasons.push(matched.length > 0 ? `it has your ${named(matched)}` : 'it has words of your query');
  if (neighbours) reasons.push(wordsAround(helped, keyword ? matched.length : 0));
  if (dense) reasons.push(`its text is ${dense.rank === 1 ? 'the most ' : ''}similar to your query`);
  if (helped.isNamed) reasons.push(by === null ? 'it is by the one whom you name' : `it is by ${by}`);
  if (helped.saysWhen) reasons.push('it says when');
  if (helped.period !== null) reasons.push(`it is from ${helped.period}`);
  if (helped.isNewer) reasons.push('it is newer than a similar memory');
  const last = reasons.pop() ?? '';
  const sentence = reasons.length === 0 ? last : `${reasons.join(', ')}, and ${last}`;
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

function wordsAround({ answers, lent }: Helped, own: number): string {
  if (answers) return 'it answers a question that has your words';
  if (lent.length > 0) return `the messages around it have your ${named(lent)}`;
  if (own === 0) return 'the messages around it have your words';
  return `the messages around it have ${own === 1 ? 'this word' : 'these words'} too`;
}

/** The most words that are named. */
const mostNamed = 6;

/** @param words at least one, as `signals.matched` has them */
function named(words: readonly string[]): string {
  const apart = words.map((word) => word.split(' ≈ '));
  const exact = apart.flatMap(([word, other]) => (word !== undefined && other === undefined ? [word] : []));
  const shown = apart.flatMap(([word = '', other]) => {
    if (other === undefined) return exact.some((whole) => isPartOf(word, whole)) ? [] : [`"${word}"`];
    // Of a word that is found as it is, no other spelling is named.
    return exact.includes(word) ? [] : [`"${word}" (as "${other}")`];
  });
  const more = shown.length > mostNamed ? [`${shown.length - mostNamed} more`] : [];
  return `${shown.length === 1 ? 'word' : 'words'} ${listed([...shown.slice(0, mostNamed), ...more])}`;
}

/** Whether a word is a part of one that was found as a whole, as `crane` is of `crane.conf`. */
const isPartOf = (word: string, whole: string): boolean =>
  whole.length > word.length && spaced(whole).includes(spaced(word));

const spaced = (word: string): string => ` ${word.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim()} `;

/** One; one and two; one, two, and three. */
const listed = (all: readonly string[]): string =>
  all.length < 3 ? all.join(' and ') : `${all.slice(0, -1).join(', ')}, and ${all.at(-1)}`;
