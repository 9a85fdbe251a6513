import { tokensOfText } from '../tokens/cut.js';
import type { Scored } from './rank.js';

/**
 * Of how many hits, from the first, the newest one may come first; the least part of the first one's score that it has; the
 * least share of the words of the shorter text that both have. They were chosen on half of the questions of
 * `npm run bench -- updates`, as those that cost no question about two texts that are only alike.
 */
const least = { hits: 10, score: 0.95, common: 0.3 } as const;

/** Stop words of English that part two things, as a flight to Oslo and one from there. No index has them. */
const parting = new Set(
  'to from with without before after not no off out under over up down against between above below'.split(' '),
);

/**
 * The first hit and those below it that may say the same of a later time: newer ones with nearly the same score. Without such
 * a hit the texts need not be read.
 * @param hits of one namespace, best first
 */
export function contendersIn(hits: readonly Scored[]): readonly Scored[] {
  const [first, ...others] = hits.slice(0, least.hits);
  if (!first) return [];
  const newer = others.filter(({ id, order }) => id > first.id && order >= least.score * first.order);
  return newer.length === 0 ? [] : [first, ...newer];
}

/**
 * Gives the score of the first hit to the newest of those that are alike, so that it comes before it: a fact is often stated
 * again when it changes. It must have each word of the query that the first one has, as it is written there: a question about
 * one of two things that are alike names that one.
 * @param hits of one namespace, best first
 * @param texts the texts of the contenders by id, as far as they may be compared
 * @param asked the query, and the words of it that memories have, in lower case
 * @returns the same hits in the same order, of which one may have another score
 */
export function withNewest(
  hits: readonly Scored[],
  texts: ReadonlyMap<string, string>,
  asked: { readonly query: string; readonly words: readonly string[] },
): readonly Scored[] {
  const [first, ...newer] = contendersIn(hits);
  const own = first && wordsOf(texts.get(first.id));
  if (!first || !own) return hits;
  const demanded = [...asked.words, ...wordsIn(asked.query).filter((word) => parting.has(word))].filter((word) =>
    own.has(word),
  );
  const newestFirst = newer.toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const newest = newestFirst.find(({ id }) => {
    const words = wordsOf(texts.get(id));
    return words !== null && areAlike(own, words) && demanded.every((word) => words.has(word));
  });
  if (!newest) return hits;
  const lifted = { score: first.score, order: first.order, helped: { ...newest.helped, isNewer: true } };
  return hits.map((hit) => (hit === newest ? { ...hit, ...lifted } : hit));
}

const wordsOf = (text: string | undefined): ReadonlySet<string> | null =>
  text === undefined ? null : new Set(wordsIn(text));

/** The words and wholes of a text, without stems. */
const wordsIn = (text: string): string[] =>
  Array.from(tokensOfText(text)).flatMap((token) => (token.counts ? [token.text] : []));

function areAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const common = Array.from(a).filter((word) => b.has(word)).length;
  return common > 0 && common >= least.common * Math.min(a.size, b.size);
}
