import { toSql } from 'pgvector';
import type { Transaction } from '../../src/database/database.js';
import { modelKey, spaceOf } from './blocks.js';
import type { Place } from './place.js';
import type { VectorQuery } from './search-index.js';
import { hasDirection, integersOf } from './vector-index.js';

/** The number of bytes before the components in the binary form of a vector. */
const headBytes = 4;

/**
 * Reads one vector of each of these memories, with the length 1. The chunk that is nearest to the query stands for a memory of
 * several chunks. The caller must have compared the memories with the filter.
 * @returns by the id of the memory; without those that have no vectors of the model
 */
export async function vectorsAt(
  tx: Transaction,
  places: readonly (Place & { readonly id: string })[],
  query: VectorQuery,
): Promise<Map<string, Float32Array>> {
  if (places.length === 0 || !hasDirection(query.vector)) return new Map();
  // As bytes: texts of 384 components are twice as long, and each number would have to be parsed.
  const rows = await tx.query<{ id: string; bytes: string }>(
    `select r.id::text, encode(vector_send(v.embedding), 'base64') as bytes
       from unnest($1::uuid[], $2::uuid[], $3::bigint[]) r(id, namespace_id, seq) cross join lateral (
         select embedding from search_vectors where space = ${spaceOf('$4::text', 'r.namespace_id')} and seq = r.seq
          order by embedding <=> $5::vector limit 1) v`,
    [
      places.map(({ id }) => id),
      places.map(({ namespaceId }) => namespaceId),
      places.map(({ seq }) => seq),
      modelKey(query.model, query.vector.length),
      toSql(integersOf(query.vector)),
    ],
  );
  return new Map(rows.map(({ id, bytes }) => [id, componentsOf(bytes)]));
}

/** @param base64 the binary form of a vector, as `vector_send` gives it */
export function componentsOf(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  const vector = new Float32Array((bytes.length - headBytes) / 4);
  let squares = 0;
  for (let i = 0; i < vector.length; i += 1) {
    const value = bytes.readFloatBE(headBytes + 4 * i);
    vector[i] = value;
    squares += value * value;
  }
  const length = Math.sqrt(squares);
  return vector.map((value) => value / length);
}
