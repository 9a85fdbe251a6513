import { slices } from '../../src/base/steps.js';
import type { Transaction } from '../../src/database/database.js';
import { bareWord, similarTo } from '../../src/domain/similar-words.js';
import type { SearchCache } from './cache.js';
import type { Term } from './cached-values.js';
import { lexemesOf, type Similar, termsOfSimilar } from './terms.js';
import { type Vocabulary, vocabulariesOf } from './vocabulary.js';

/** The number of words of a query that are compared with others, and of the most similar ones that are used for each. */
const [mostUnknown, mostSimilar] = [4, 4];

/**
 * The terms of words that are similar to those words of a query that no memory of these namespaces has. Stop words, numbers and
 * codes have no similar words.
 */
export async function similarTerms(
  tx: Transaction,
  cache: SearchCache,
  namespaceIds: readonly string[],
  unknown: readonly string[],
): Promise<Term[]> {
  const compared = unknown.filter((word) => /^[\p{L}\p{M}'’]+$/u.test(word)).slice(0, mostUnknown);
  if (compared.length === 0) return [];
  const lexemes = await lexemesOf(tx, namespaceIds, compared);
  if (lexemes.length === 0) return [];
  const vocabularies = await vocabulariesOf(tx, cache, namespaceIds);
  const similar: Similar[] = [];
  const next = slices();
  for (const { namespaceId, word, lexeme } of lexemes) {
    const best = mostSimilarTo(lexeme, vocabularies.get(namespaceId) ?? new Map());
    similar.push(...best.map((one) => ({ namespaceId, word, ...one })));
    await next();
  }
  return termsOfSimilar(tx, cache, similar);
}

function mostSimilarTo(word: string, words: Vocabulary): { lexeme: string; share: number }[] {
  const similarity = similarTo(bareWord(word));
  const found: { lexeme: string; share: number }[] = [];
  for (const [lexeme, bare] of words) {
    const share = similarity(bare);
    if (share > 0) found.push({ lexeme, share });
  }
  return found.sort((a, b) => b.share - a.share || (a.lexeme < b.lexeme ? -1 : 1)).slice(0, mostSimilar);
}
