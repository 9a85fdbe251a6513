import { shortContents } from '../../projections/memory/queries.js';
import type { Hit, SearchCache } from '../../projections/search/queries.js';
import type { Embedder, Likeness } from '../adapters/embeddings/embedder.js';
import { slices } from '../base/steps.js';
import type { Transaction } from '../database/database.js';
import type { Features } from '../domain/likeness/features.js';

/** A query as the embedder was given it. */
export interface Meant {
  readonly embedder: Embedder;
  readonly query: string;
  readonly weights: ReadonlyMap<string, number>;
}

/** The number of texts that are compared, the longest of them, and the cosine above which a longer one is believed to be near. */
const compared = { texts: 32, bytes: 4096, cosine: 0.3 } as const;

/** The time after which the features of texts yield to other requests. */
const sliceMs = 5;

/** The hits without those that no word has found and that are near by accident only. */
export async function withoutAccidents(
  tx: Transaction,
  cache: SearchCache,
  hits: readonly Hit[],
  byWords: readonly Hit[] | null,
  { embedder, query, weights }: Meant,
): Promise<readonly Hit[]> {
  const { likeness, floor } = embedder;
  if (!likeness || floor === null) return hits;
  const shared = new Set(byWords?.flatMap(({ memoryId, score }) => (score > 0 ? [memoryId] : [])));
  const doubtful = hits.filter(({ memoryId, score }) => score > floor && !shared.has(memoryId));
  if (doubtful.length === 0) return hits;
  const texts = await featuresAt(tx, cache, likeness, doubtful.slice(0, compared.texts));
  const near = likeness.areNear(
    query,
    weights,
    texts.map(({ features }) => features),
  );
  const known = new Map(texts.map(({ id }, i) => [id, near[i] ?? false]));
  const isAccident = ({ memoryId, score }: Hit) => !(known.get(memoryId) ?? score >= compared.cosine);
  const accidents = new Set(doubtful.filter(isAccident));
  return hits.filter((hit) => !accidents.has(hit));
}

interface TextFeatures {
  readonly id: string;
  readonly features: readonly Features[];
}

/**
 * The features of those of these memories that have short texts. The text of a memory never changes, so that its features are
 * kept: to make them for 32 texts was 4.5 % of a search of a conversation.
 */
async function featuresAt(
  tx: Transaction,
  cache: SearchCache,
  likeness: Likeness,
  hits: readonly Hit[],
): Promise<TextFeatures[]> {
  const found: TextFeatures[] = [];
  const missing: string[] = [];
  for (const { memoryId: id } of hits) {
    const features = cache.features.get(id);
    if (features) found.push({ id, features });
    else missing.push(id);
  }
  if (missing.length === 0) return found;
  const next = slices(sliceMs);
  for (const { id, content } of await shortContents(tx, missing, compared.bytes)) {
    const features = likeness.featuresOf(content);
    cache.features.set(id, features, bytesOf(features));
    found.push({ id, features });
    await next();
  }
  return found;
}

/** A hash and its weight are twelve bytes. */
const bytesOf = (features: readonly Features[]): number =>
  features.reduce((bytes, { codes }) => bytes + 200 + 12 * codes.length, 200);
