import { toSql } from 'pgvector';
import type { Row, Transaction } from '../../src/adapters/database/database.js';
import { codeWidth, modelKey, spaceOf } from './blocks.js';
import { bestPlaces, rememberedScores } from './engine-places.js';
import type { Place } from './place.js';
import { type CodeQuery, codeQuery, cosineOfCodes } from './scan.js';
import type { EnginePlaces } from './search-engine.js';
import type { VectorCandidates, VectorQuery } from './search-index.js';
import { codeOf, integersOf } from './vectors.js';

/** Of a document with more chunks, this number of the nearest ones is read. The code of one of them is the nearest code. */
const chunksRead = 8;

/**
 * The candidates that an engine has given by vectors, with their approximate cosines. The codes are computed again from the
 * stored vectors, which gives the same codes as the database has. So memories are chosen and scored as the tables of the
 * database choose and score them, and no process needs to hold the codes of all memories.
 */
export async function engineVectors(
  tx: Transaction,
  given: EnginePlaces,
  query: VectorQuery,
): Promise<VectorCandidates> {
  const wanted = codeQuery(query.vector);
  const cosinesAt = rememberedScores((places) => readCosines(tx, places, query, wanted));
  return {
    namespaceIds: query.namespaceIds,
    documents: await documentsIn(tx, query.namespaceIds),
    choose: (size, mayPass) => bestPlaces(given, cosinesAt, Number.NEGATIVE_INFINITY, size, mayPass),
    cosinesAt,
  };
}

async function documentsIn(tx: Transaction, namespaceIds: readonly string[]): Promise<number> {
  const [row] = await tx.query<{ documents: number }>(
    'select coalesce(sum(documents), 0)::bigint as documents from search_namespaces where namespace_id = any($1::uuid[])',
    [namespaceIds],
  );
  return row?.documents ?? 0;
}

interface Chunk extends Row {
  place: number;
  vector: string;
}

async function readCosines(
  tx: Transaction,
  places: readonly Place[],
  query: VectorQuery,
  wanted: CodeQuery,
): Promise<readonly number[]> {
  const namespaceIds = [...new Set(places.map((one) => one.namespaceId))];
  const rows = await tx.query<Chunk>(
    `with spaces as materialized (
       select array_agg(${spaceOf('$4::text', 'n.id')} order by n.place) as hashes
         from unnest($3::uuid[]) with ordinality n(id, place))
     select r.place::integer as place, encode(vector_send(v.embedding), 'base64') as vector
       from spaces cross join unnest($1::integer[], $2::bigint[]) with ordinality r(namespace, seq, place) cross join lateral (
         select embedding from search_vectors where space = spaces.hashes[r.namespace] and seq = r.seq
          order by embedding <=> $5::vector limit ${chunksRead} offset 0) v`,
    [
      places.map((one) => namespaceIds.indexOf(one.namespaceId) + 1),
      places.map((one) => one.seq),
      namespaceIds,
      modelKey(query.model, query.vector.length),
      toSql(integersOf(query.vector)),
    ],
  );
  const cosines = places.map(() => Number.NEGATIVE_INFINITY);
  const width = codeWidth(query.vector.length);
  for (const { place, vector } of rows) {
    const code = Buffer.concat([Buffer.alloc(2), codeOf(readVector(vector))]);
    cosines[place - 1] = Math.max(cosines[place - 1] ?? Number.NEGATIVE_INFINITY, cosineOfCodes(code, width, wanted));
  }
  return cosines;
}

/** The binary form of pgvector: the number of components and an unused number, 16 bits each, then the components as float4. */
function readVector(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  return Float32Array.from({ length: bytes.readUInt16BE(0) }, (_, i) => bytes.readFloatBE(4 + 4 * i));
}
