import {
  everything,
  queryTokens,
  queryWords,
  type SearchCache,
  type Term,
  termsOfWords,
} from '../../projections/search/queries.js';
import type { Transaction } from '../../src/database/database.js';
import { classesOf } from '../../src/domain/tokens/query.js';

/** The words of a query in these namespaces, with similar ones. */
export async function wordsIn(
  tx: Transaction,
  cache: SearchCache,
  namespaceIds: readonly string[],
  words: readonly string[],
) {
  const classes = words.flatMap(classesOf);
  return queryWords(tx, cache, classes, await queryTokens(tx, cache, namespaceIds, classes), everything);
}

/** The terms of these words, as a search looks for them. */
export const termsOf = async (
  tx: Transaction,
  cache: SearchCache,
  namespaceIds: readonly string[],
  words: readonly string[],
): Promise<Term[]> => termsOfWords(await wordsIn(tx, cache, namespaceIds, words));
