import type { Row, Transaction, Value } from '../../src/database/database.js';
import { memoryRows } from '../memory/rows.js';
import type { SearchCache } from './cache.js';
import { addPassing, comparedIn, keep } from './compared.js';
import type { Filter } from './passing.js';
import {
  bytesOfMemory,
  documentsAt,
  keyed,
  type Place,
  placeKey,
  type RankedMemory,
  type RankedRow,
  rankedColumns,
} from './place.js';

/**
 * Those of these documents that pass the filter. Only documents are read that no search has compared with this filter since a memory
 * of their namespace was removed or changed: a search among memories that are only added to reads new ones only.
 */
export async function passingDocuments(
  tx: Transaction,
  cache: SearchCache,
  places: readonly Place[],
  filter: Filter,
): Promise<RankedMemory[]> {
  const known = await comparedIn(tx, cache, new Set(places.map(({ namespaceId }) => namespaceId)), filter);
  const passing: RankedMemory[] = [];
  const unknown: Place[] = [];
  for (const place of places) {
    const memory = known.get(place.namespaceId)?.passes.get(place.seq);
    if (memory) passing.push(memory);
    else if (memory === undefined) unknown.push(place);
  }
  if (unknown.length === 0) return passing;
  const read = await readPassing(tx, unknown, filter);
  for (const memory of read) cache.memories.set(memory.key, memory, bytesOfMemory);
  const found = new Map(read.map((memory) => [memory.key, memory]));
  for (const place of unknown) {
    const own = known.get(place.namespaceId);
    if (own) addPassing(own, place.seq, found.get(placeKey(place)) ?? null);
  }
  keep(cache, known, filter);
  return [...passing, ...read];
}

async function readPassing(tx: Transaction, places: readonly Place[], filter: Filter): Promise<RankedMemory[]> {
  const params: Value[] = [places.map((one) => one.namespaceId), places.map((one) => one.seq)];
  const condition = filter((value) => `$${params.push(value)}`);
  const rows = await tx.query<Row & RankedRow>(
    `select ${rankedColumns} from ${documentsAt} join ${memoryRows} m on m.id = d.memory_id where ${condition}`,
    params,
  );
  return rows.map(keyed);
}
