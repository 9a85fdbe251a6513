import { shortContents } from '../../projections/memory/queries.js';
import {
  denseArm,
  type Filter,
  keywordArm,
  type QueryWord,
  queryTokens,
  queryWords,
  type SearchCache,
  searchCache,
  termsOfWords,
} from '../../projections/search/queries.js';
import { vectorCandidates } from '../../projections/search/vector-candidates.js';
import { wordCandidates } from '../../projections/search/word-candidates.js';
import { wordWeights } from '../../src/commands/search-candidates.js';
import { rankedOf } from '../../src/commands/search-ranking.js';
import type { Transaction } from '../../src/database/database.js';
import type { Ranked } from '../../src/domain/rank/why.js';
import { classesOf } from '../../src/domain/tokens/query.js';
import { bm25 } from './store.js';

export interface Asking {
  readonly query: string;
  readonly vector: readonly number[];
  readonly namespaceIds: readonly string[];
  readonly condition: Filter;
  /** Null for the vectors of a model. */
  readonly floor?: number | null;
  /** Changes what the words of the query weigh. */
  readonly weigh?: (word: QueryWord) => QueryWord;
}

/** A search of the index in the tables of the database, from the query to the ranks, without texts and receipts. */
export async function rankedIn(
  tx: Transaction,
  { query, vector: given, namespaceIds, condition, floor = 0.2, weigh = (word) => word }: Asking,
  cache: SearchCache = searchCache(),
): Promise<{ readonly ranked: readonly Ranked[]; readonly weights: ReadonlyMap<string, number> }> {
  const classes = classesOf(query);
  const tokens = await queryTokens(tx, cache, namespaceIds, classes);
  const words = (await queryWords(tx, cache, classes, tokens, condition)).map(weigh);
  const byWords = { namespaceIds, terms: termsOfWords(words), budget: 1_000_000, bm25 };
  const byVector = { namespaceIds, model: 'test', vector: Float32Array.from(given) };
  const wanted = { condition, limit: 50 };
  const dense = await denseArm(tx, cache, () => vectorCandidates(tx, cache, byVector), byVector, wanted);
  const keyword = await keywordArm(tx, cache, () => wordCandidates(byWords), byWords, wanted);
  const best = { minScore: 0, neighbours: true, k: Number.POSITIVE_INFINITY };
  const asked = { query, words, search: { condition, namespaceIds, vector: byVector }, floor, best };
  const texts = (ids: readonly string[]) => shortContents(tx, ids, 512);
  const ranked = await rankedOf(tx, cache, asked, { dense: dense.hits, keyword: keyword.hits }, texts);
  return { ranked, weights: wordWeights(query, words) };
}
