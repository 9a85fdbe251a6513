import type { QueryWord } from '../../projections/search/queries.js';
import { contendersIn, withNewest } from '../domain/rank/newest.js';
import type { Scored } from '../domain/rank/rank.js';

/** Longer texts, in bytes, are about too many things. Ten of these take 0.6 ms to compare, and 4 ms if they are code. */
export const longestCompared = 512;

/** The hits of each namespace, best first. */
export type ByNamespace = ReadonlyMap<string, readonly Scored[]>;

/** The texts of memories that are compared. */
export interface ComparedText {
  readonly id: string;
  readonly content: string;
  readonly invalidated: boolean;
}

/** The hits whose texts are compared. Of 996 questions to LoCoMo, 125 have such hits. */
export const contendersOf = (byNamespace: ByNamespace): string[] =>
  Array.from(byNamespace.values()).flatMap((hits) => contendersIn(hits).map(({ id }) => id));

/**
 * Puts the newest of nearly equal hits first, in each namespace.
 * @param texts of the contenders that are short enough
 */
export function newestFirst(
  byNamespace: ByNamespace,
  texts: readonly ComparedText[],
  query: string,
  words: readonly QueryWord[],
): Scored[] {
  // One that is not valid any more corrects nothing.
  const valid = new Map(texts.flatMap(({ id, content, invalidated }) => (invalidated ? [] : [[id, content]])));
  return Array.from(byNamespace).flatMap(([namespaceId, hits]) =>
    withNewest(hits, valid, { query, words: wordsIn(namespaceId, words) }),
  );
}

/** The words that memories of a namespace have, so no stop words. */
const wordsIn = (namespaceId: string, words: readonly QueryWord[]): string[] =>
  words.flatMap((one) => (one.namespaceId === namespaceId && one.terms.length > 0 ? [one.word] : []));
