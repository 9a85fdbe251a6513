import type { Transaction } from '../../src/database/database.js';
import { estimatedFloor, fewestSampled, mostSampled } from '../../src/domain/rank/floor.js';
import type { VectorQuery } from './search-index.js';
import { componentsOf } from './vectors-at.js';

/** The floor of the model of a query; null while it is not known. */
export async function floorOf(tx: Transaction, { model, vector }: VectorQuery): Promise<number | null> {
  const [row] = await tx.query<{ floor: number }>('select floor from search_floors where model = $1 and size = $2', [
    model,
    vector.length,
  ]);
  return row?.floor ?? null;
}

/** An estimate is made again when there are twice or half as many memories as at the time of the last one. */
const grown = 2;

/** Whether the floor of a model should be estimated now. */
export async function isFloorDue(tx: Transaction, model: string): Promise<boolean> {
  const [row] = await tx.query<{ before: number | null }>(
    'select (select documents from search_floors where model = $1) as before',
    [model],
  );
  const [documents, before] = [await documentsIn(tx), row?.before ?? null];
  if (before === null) return documents >= fewestSampled;
  return documents >= grown * before || grown * documents <= before;
}

/**
 * Estimates the floor of a model from some of its vectors, in place of every earlier estimate. Most of the vectors of the store must
 * be of this model.
 * @returns null if there are too few vectors; then no floor is kept
 */
export async function estimateFloor(tx: Transaction, model: string): Promise<number | null> {
  const documents = await documentsIn(tx);
  const vectors = await sampledVectors(tx, model, documents);
  const size = vectors[0]?.length ?? 0;
  const floor = estimatedFloor(vectors.filter(({ length }) => length === size));
  await tx.query('delete from search_floors');
  if (floor === null) return null;
  // Another process may have estimated it at the same time, with the same result.
  await tx.query(
    'insert into search_floors (model, size, floor, documents) values ($1, $2, $3, $4) on conflict do nothing',
    [model, size, floor, documents],
  );
  return floor;
}

async function documentsIn(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ documents: number }>(
    'select coalesce(sum(documents), 0)::bigint as documents from search_namespaces',
  );
  return row?.documents ?? 0;
}

/** Memories from which some are chosen, so that not all of a large store are read. */
const looked = 4000;

/**
 * The first vector of some memories, by the hash of their ids. Of a large store whole pages are left out, by a seed that does not
 * change: those on one page were written one after the other, and the hash takes them apart.
 */
async function sampledVectors(tx: Transaction, model: string, documents: number): Promise<Float32Array[]> {
  const percent = Math.min(100, (100 * looked) / Math.max(1, documents));
  const rows = await tx.query<{ bytes: string }>(
    `select encode(vector_send(v.embedding), 'base64') as bytes
       from (select memory_id, hashtextextended(memory_id::text, 0) as place
               from search_documents tablesample system ($2::float4) repeatable (0)
              where model = $1 order by place, memory_id limit ${mostSampled}) d
      cross join lateral (
        select embedding from search_vectors where memory_id = d.memory_id order by ordinal limit 1) v
      order by d.place, d.memory_id`,
    [model, percent],
  );
  return rows.map(({ bytes }) => componentsOf(bytes));
}
