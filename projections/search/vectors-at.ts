import { toSql } from 'pgvector';
import type { Row, Transaction } from '../../src/database/database.js';
import { modelKey, spaceOf } from './blocks.js';
import type { SearchCache } from './cache.js';
import type { RankedMemory } from './place.js';
import type { VectorQuery } from './search-index.js';
import { hasDirection, integersOf } from './vector-index.js';

/** The number of bytes before the components in the binary form of a vector. */
const headBytes = 4;

/** Vectors of a memory with more chunks are not kept: the database compares them each time. */
const mostChunks = 4;

/** The bytes of a memory in the cache besides its vectors. */
const bytesOfEntry = 300;

/** Of one memory: its vectors with the length 1, or, of one with many chunks, the one that is nearest to the query. */
type Vectors = readonly Float32Array[];

/**
 * Reads the vectors of memories that are not in memory, or are there as of another version of the document. The caller must have
 * compared the memories with the filter.
 * @returns in the order of the memories; undefined for one without vectors of the model
 */
async function chunksAt(
  tx: Transaction,
  cache: SearchCache,
  places: readonly RankedMemory[],
  query: VectorQuery,
): Promise<readonly (Vectors | undefined)[]> {
  const model = modelKey(query.model, query.vector.length);
  const found = places.map(({ key, version }) => {
    const kept = cache.vectors.get(key);
    return kept?.model === model && kept.version === version ? kept.vectors : undefined;
  });
  const missing = places.filter((_, i) => !found[i]);
  if (missing.length === 0) return found;
  const placeOf = new Map(places.map(({ id }, i) => [id, i]));
  for (const { id, chunks, vectors } of await readChunks(tx, missing, query)) {
    const read = vectors.split(';').map(componentsOf);
    const at = placeOf.get(id);
    const place = at === undefined ? undefined : places[at];
    if (at === undefined || !place) continue;
    found[at] = read;
    if (chunks > mostChunks) continue;
    const bytes = bytesOfEntry + 4 * query.vector.length * read.length;
    cache.vectors.set(place.key, { model, version: place.version, vectors: read }, bytes);
  }
  return found;
}

interface ChunksRow extends Row {
  id: string;
  chunks: number;
  /** In base64, with semicolons between: all of them, or the nearest one where they are too many to keep. */
  vectors: string;
}

/** As bytes: texts of 384 components are twice as long, and each number would have to be parsed. */
function readChunks(tx: Transaction, places: readonly RankedMemory[], query: VectorQuery): Promise<ChunksRow[]> {
  const bytes = "encode(vector_send(v.embedding), 'base64')";
  return tx.query<ChunksRow>(
    `select r.id::text, c.chunks,
            case when c.chunks <= ${mostChunks}
              then (select string_agg(${bytes}, ';' order by v.ordinal) from search_vectors v where v.space = c.space and v.seq = r.seq)
              else (select ${bytes} from search_vectors v where v.space = c.space and v.seq = r.seq
                     order by v.embedding <=> $5::vector limit 1) end as vectors
       from unnest((select $1::uuid[]), (select $2::uuid[]), (select $3::bigint[])) r(id, namespace_id, seq) cross join lateral (
         select n.space, count(*) as chunks from (select ${spaceOf('$4::text', 'r.namespace_id')} as space offset 0) n
           join search_vectors s on s.space = n.space and s.seq = r.seq group by 1) c`,
    [
      places.map(({ id }) => id),
      places.map(({ namespaceId }) => namespaceId),
      places.map(({ seq }) => seq),
      modelKey(query.model, query.vector.length),
      toSql(integersOf(query.vector)),
    ],
  );
}

interface Nearest {
  readonly vector: Float32Array;
  readonly cosine: number;
}

/** The vector of each of these memories, and of one with several chunks the one that is nearest to the query, with its cosine. */
export async function nearestAt(
  tx: Transaction,
  cache: SearchCache,
  places: readonly RankedMemory[],
  query: VectorQuery,
): Promise<Map<string, Nearest>> {
  if (places.length === 0 || !hasDirection(query.vector)) return new Map();
  const chunks = await chunksAt(tx, cache, places, query);
  const asked = unit(Float32Array.from(integersOf(query.vector)));
  const nearest = new Map<string, Nearest>();
  for (let i = 0; i < places.length; i += 1) {
    const [place, vectors] = [places[i], chunks[i]];
    if (place && vectors) nearest.set(place.id, nearestOf(vectors, asked));
  }
  return nearest;
}

function nearestOf(vectors: Vectors, asked: Float32Array): Nearest {
  let nearest: Nearest = { vector: new Float32Array(), cosine: Number.NEGATIVE_INFINITY };
  for (const vector of vectors) {
    const cosine = productOf(vector, asked);
    if (cosine > nearest.cosine) nearest = { vector, cosine };
  }
  return nearest;
}

/** The cosine of two vectors of the length 1. */
function productOf(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < one.length; i += 1) sum += (one[i] ?? 0) * (other[i] ?? 0);
  return sum;
}

/** @param base64 the binary form of a vector, as `vector_send` gives it */
export function componentsOf(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  const vector = new Float32Array((bytes.length - headBytes) / 4);
  for (let i = 0; i < vector.length; i += 1) vector[i] = bytes.readFloatBE(headBytes + 4 * i);
  return unit(vector);
}

/** The same direction with the length 1. */
function unit(vector: Float32Array): Float32Array {
  let squares = 0;
  for (let i = 0; i < vector.length; i += 1) squares += (vector[i] ?? 0) ** 2;
  const length = Math.sqrt(squares);
  return vector.map((value) => value / length);
}
