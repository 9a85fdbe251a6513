import { shortContents } from '../../projections/memory/queries.js';
import type { Hit } from '../../projections/search/queries.js';
import type { Embedder } from '../adapters/embeddings/embedder.js';
import { slices } from '../base/steps.js';
import type { Transaction } from '../database/database.js';

/** A query as the embedder was given it. */
export interface Meant {
  readonly embedder: Embedder;
  readonly query: string;
  readonly weights: ReadonlyMap<string, number>;
}

/** The number of texts that are compared, the longest of them, and the cosine above which a longer one is believed to be near. */
const compared = { texts: 32, bytes: 4096, cosine: 0.3 } as const;

/** The time after which comparing texts yields to other requests. */
const sliceMs = 5;

/** The hits without those that no word has found and that are near by accident only. */
export async function withoutAccidents(
  tx: Transaction,
  hits: readonly Hit[],
  byWords: readonly Hit[] | null,
  { embedder, query, weights }: Meant,
): Promise<readonly Hit[]> {
  const { floor } = embedder;
  if (floor === null || !embedder.nearTo) return hits;
  const shared = new Set(byWords?.flatMap(({ memoryId, score }) => (score > 0 ? [memoryId] : [])));
  const doubtful = hits.filter(({ memoryId, score }) => score > floor && !shared.has(memoryId));
  if (doubtful.length === 0) return hits;
  const near = await nearAmong(tx, doubtful.slice(0, compared.texts), embedder.nearTo(query, weights));
  const isAccident = ({ memoryId, score }: Hit) => !(near.get(memoryId) ?? score >= compared.cosine);
  const accidents = new Set(doubtful.filter(isAccident));
  return hits.filter((hit) => !accidents.has(hit));
}

/** Of those of these memories that have short texts, by their ids: whether they have anything in common with the query. */
async function nearAmong(
  tx: Transaction,
  hits: readonly Hit[],
  isNear: (text: string) => boolean,
): Promise<ReadonlyMap<string, boolean>> {
  const near = new Map<string, boolean>();
  const next = slices(sliceMs);
  const ids = hits.map(({ memoryId }) => memoryId);
  for (const { id, content } of await shortContents(tx, ids, compared.bytes)) {
    near.set(id, isNear(content));
    await next();
  }
  return near;
}
