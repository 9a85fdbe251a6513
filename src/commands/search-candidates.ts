import { Refusal } from '../../contracts/errors.js';
import { rateLimits } from '../../contracts/limits.js';
import {
  type Arm,
  denseArm,
  type Found,
  keywordArm,
  type QueryWord,
  type SearchCache,
  type Searched,
  type SearchQuery,
} from '../../projections/search/queries.js';
import type { Embedder } from '../adapters/embeddings/embedder.js';
import type { QueryEmbedding } from '../adapters/embeddings/queries.js';
import type { RateLimiter } from '../adapters/rate-limiter.js';
import { largerFirst } from '../base/order.js';
import type { World } from '../base/world.js';
import type { Transaction } from '../database/database.js';
import { hasWords } from '../domain/tokens/text.js';
import { wordsOf } from '../domain/words.js';
import { type Meant, withoutAccidents } from './search-accidents.js';
import type { Found as Candidates } from './search-ranking.js';

export type Degraded = 'dense_quota' | 'dense_unavailable' | 'dense_disabled' | 'keyword_unavailable' | 'reindexing';

export interface QueryParts {
  readonly world: World;
  readonly queries: QueryEmbedding;
  readonly arms: readonly ('dense' | 'keyword')[];
  /** Counts the queries that are embedded, for each workspace and day (UTC); null where nothing is counted. */
  readonly limiter: Pick<RateLimiter, 'count'> | null;
}

/** A vector without a direction, which is near to no memory. */
const nowhere = new Float32Array(1);

/** The reason why a query may not be embedded now; null if it may. It counts the query, so it is asked once for each. */
export async function refusedVector(
  { queries, arms, limiter, world }: QueryParts,
  workspaceId: string,
  query: string,
): Promise<Degraded | null> {
  if (!arms.includes('dense')) return 'dense_disabled';
  if (!hasWords(query)) return null;
  // A query that is not sent does not count.
  if (queries.isAway()) return 'dense_unavailable';
  const counted = `${workspaceId} ${world.now().toISOString().slice(0, 10)}`;
  return limiter && (await limiter.count(rateLimits.queryEmbeddings, counted)) > 0 ? 'dense_quota' : null;
}

/** The query as a vector, or the reason why the dense arm cannot run. */
export async function vectorOf(
  { queries }: Pick<QueryParts, 'queries'>,
  query: string,
  weights: ReadonlyMap<string, number>,
): Promise<Float32Array | Degraded> {
  // A model would find memories for punctuation too.
  if (!hasWords(query)) return nowhere;
  return (await queries.vectorOf(query, weights)) ?? 'dense_unavailable';
}

/** 0..1 by rarity; a stop word, or a word that no memory has, weighs a little, for words that are spelt like it. */
export function wordWeights(query: string, words: readonly QueryWord[]): Map<string, number> {
  const highest = Math.max(1, ...words.map(({ idf }) => idf));
  const weights = new Map(Array.from(wordsOf(query), (word) => [word.slice(0, 200), 0.1]));
  for (const { word, idf, share } of words) {
    weights.set(word, Math.max(weights.get(word) ?? 0, (share * idf) / highest));
  }
  return weights;
}

/** Candidates of each arm. */
const candidates = 50;

/** The candidates of each arm, with a score for the candidates of the other arm too; null for an arm that does not run. */
export async function candidatesOf(
  tx: Transaction,
  cache: SearchCache,
  { vector, words, condition }: SearchQuery,
  { byVector, byWords }: Found,
  meant: Meant,
): Promise<Candidates> {
  const wanted = { condition, limit: candidates };
  // At once: the dense arm asks for little and then scans in this thread, while the database reads for the other.
  const [dense, keyword] = await Promise.all([
    vector && byVector ? denseArm(tx, cache, byVector, vector, wanted) : null,
    words && byWords ? keywordArm(tx, cache, byWords, words, wanted) : null,
  ]);
  const [denseHits, keywordHits] = await Promise.all([withScoresOf(dense, keyword), withScoresOf(keyword, dense)]);
  return {
    keyword: keywordHits,
    dense: denseHits && (await withoutAccidents(tx, denseHits, keywordHits, meant)),
  };
}

/** Without the scores of the other's hits, a memory among the first of one arm and just below the cut of the other loses. */
async function withScoresOf(arm: Arm | null, other: Arm | null) {
  if (!arm) return null;
  const own = new Set(arm.hits.map(({ memoryId }) => memoryId));
  const missing = other?.hits.filter(({ memoryId }) => !own.has(memoryId)) ?? [];
  return [...arm.hits, ...(await arm.scoresOf(missing))].sort((a, b) => largerFirst(a.score, b.score));
}

/**
 * The reasons why the answer is incomplete.
 * @param unembedded the reason why the query was not embedded; null if it was
 * @throws Refusal search_unavailable when no arm has run
 */
export async function degradedOf(
  tx: Transaction,
  { embedder, searched }: { readonly embedder: Embedder; readonly searched: Searched },
  { namespaceIds, vector }: SearchQuery,
  { byVector, byWords, isBehind }: Found,
  unembedded: Degraded | null,
): Promise<Degraded[]> {
  if (!byVector && !byWords) throw new Refusal('search_unavailable');
  const isReady = !(await isBehind()) && (!vector || (await searched.index.ready(tx, namespaceIds, embedder.model)));
  return [
    ...(byVector ? [] : [unembedded ?? 'dense_unavailable']),
    ...(byWords ? [] : (['keyword_unavailable'] as const)),
    ...(isReady ? [] : (['reindexing'] as const)),
  ];
}
