import { type SearchCache, similarTerms, type Term, termsOf } from '../../projections/search/queries.js';
import type { QueryEmbedding } from '../adapters/embeddings/queries.js';
import type { World } from '../base/world.js';
import type { Transaction } from '../database/database.js';
import { hasWords, isCharacter, type SearchWord } from '../domain/search-text.js';
import { wordsOf } from '../domain/words.js';

export type Degraded = 'dense_quota' | 'dense_unavailable' | 'dense_disabled' | 'keyword_unavailable' | 'reindexing';

export interface QueryParts {
  readonly world: World;
  readonly queries: QueryEmbedding;
  readonly arms: readonly ('dense' | 'keyword')[];
  /** Counts one query that is embedded for a workspace. @returns false when the daily limit (UTC) is reached */
  mayEmbed(workspaceId: string, day: string): Promise<boolean>;
}

/** The words of the query that memories have, and similar words for those that no memory has. */
export async function termsOfQuery(
  tx: Transaction,
  cache: SearchCache,
  namespaceIds: readonly string[],
  words: readonly SearchWord[],
): Promise<Term[]> {
  const shares = new Map(words.map(({ word, share }) => [word, share]));
  const known = await termsOf(tx, cache, namespaceIds, [...shares.keys()]);
  const found = new Set(known.map(({ word }) => word));
  const unknown = words.flatMap(({ word, share }) =>
    share === 1 && (!found.has(word) || isCharacter(word)) ? [word] : [],
  );
  const similar = await similarTerms(tx, cache, namespaceIds, unknown);
  return [...known.map((term) => ({ ...term, share: shares.get(term.word) ?? 1 })), ...similar];
}

/** A vector without a direction, which is near to no memory. */
const nowhere = new Float32Array(1);

/** The query as a vector, or the reason why the dense arm cannot run. */
export async function queryVector(
  { queries, arms, mayEmbed, world }: QueryParts,
  workspaceId: string,
  query: string,
  weights: ReadonlyMap<string, number>,
): Promise<Float32Array | Degraded> {
  if (!arms.includes('dense')) return 'dense_disabled';
  // A model would find memories for punctuation too.
  if (!hasWords(query)) return nowhere;
  // A query that is not sent does not count.
  if (queries.isAway()) return 'dense_unavailable';
  if (!(await mayEmbed(workspaceId, world.now().toISOString().slice(0, 10)))) return 'dense_quota';
  return (await queries.vectorOf(query, weights)) ?? 'dense_unavailable';
}

/** 0..1 by rarity; a stop word, or a word that no memory has, weighs a little, for words that are spelt like it. */
export function wordWeights(query: string, terms: readonly Term[]): Map<string, number> {
  const highest = Math.max(1, ...terms.map((term) => term.idf));
  const weights = new Map(Array.from(wordsOf(query), (word) => [word.slice(0, 200), 0.1]));
  for (const { word, idf, share } of terms) {
    weights.set(word, Math.max(weights.get(word) ?? 0, (share * idf) / highest));
  }
  return weights;
}
