import { shortContents } from '../../projections/memory/queries.js';
import {
  type Arm,
  denseArm,
  type Found,
  type Hit,
  keywordArm,
  type SearchCache,
  type SearchQuery,
} from '../../projections/search/queries.js';
import type { Embedder } from '../adapters/embeddings/embedder.js';
import type { Transaction } from '../database/database.js';
import type { RankInput } from '../domain/ranking.js';

/** Candidates of each arm. */
const candidates = 50;

/** A query as the embedder was given it. */
export interface Meant {
  readonly embedder: Embedder;
  readonly query: string;
  readonly weights: ReadonlyMap<string, number>;
}

/** The candidates of each arm, with a score for the candidates of the other arm too; null for an arm that does not run. */
export async function candidatesOf(
  tx: Transaction,
  cache: SearchCache,
  { vector, words, condition }: SearchQuery,
  { byVector, byWords }: Found,
  meant: Meant,
): Promise<Omit<RankInput, 'neighbours'>> {
  const wanted = { condition, limit: candidates };
  // At once: the dense arm asks for little and then scans in this thread, while the database reads for the other.
  const [dense, keyword] = await Promise.all([
    vector && byVector ? denseArm(tx, cache, byVector, vector, wanted) : null,
    words && byWords ? keywordArm(tx, cache, byWords, words, wanted) : null,
  ]);
  const [denseHits, keywordHits] = await Promise.all([withScoresOf(dense, keyword), withScoresOf(keyword, dense)]);
  const { floor } = meant.embedder;
  return {
    keyword: keywordHits,
    dense: denseHits && (await withoutAccidents(tx, denseHits, keywordHits, meant)),
    floor,
  };
}

/** Without the scores of the other's hits, a memory among the first of one arm and just below the cut of the other loses. */
async function withScoresOf(arm: Arm | null, other: Arm | null) {
  if (!arm) return null;
  const own = new Set(arm.hits.map(({ memoryId }) => memoryId));
  const missing = other?.hits.filter(({ memoryId }) => !own.has(memoryId)) ?? [];
  return [...arm.hits, ...(await arm.scoresOf(missing))].sort((a, b) => b.score - a.score);
}

/** The number of texts that are compared, the longest of them, and the cosine above which a longer one is believed to be near. */
const compared = { texts: 32, bytes: 4096, cosine: 0.3 } as const;

/** The hits without those that no word has found and that are near by accident only. */
async function withoutAccidents(
  tx: Transaction,
  hits: readonly Hit[],
  byWords: readonly Hit[] | null,
  { embedder, query, weights }: Meant,
): Promise<readonly Hit[]> {
  if (!embedder.areNear) return hits;
  const shared = new Set(byWords?.flatMap(({ memoryId, score }) => (score > 0 ? [memoryId] : [])));
  const doubtful = hits.filter(({ memoryId, score }) => score > embedder.floor && !shared.has(memoryId));
  if (doubtful.length === 0) return hits;
  const ids = doubtful.slice(0, compared.texts).map(({ memoryId }) => memoryId);
  const texts = await shortContents(tx, ids, compared.bytes);
  const near = await embedder.areNear(
    query,
    weights,
    texts.map(({ content }) => content),
  );
  const known = new Map(texts.map(({ id }, i) => [id, near[i] ?? false]));
  const isAccident = ({ memoryId, score }: Hit) => !(known.get(memoryId) ?? score >= compared.cosine);
  const accidents = new Set(doubtful.filter(isAccident));
  return hits.filter((hit) => !accidents.has(hit));
}
