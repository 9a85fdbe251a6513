import { groupedBy } from '../../src/base/groups.js';
import type { Row, Transaction, Value } from '../../src/database/database.js';
import { memoryRows } from '../memory/rows.js';
import type { Compared, SearchCache } from './cache.js';
import type { Filter } from './passing.js';
import { bytesOfMemory, documentsAt, type Place, placeKey, type RankedMemory, rankedColumns } from './place.js';
import { namespaceVersions } from './versions.js';

/** The bytes of one answer in the cache. */
const bytesOfAnswer = 40;

/**
 * Those of these documents that pass the filter. Only documents are read that no search has compared with this filter in this version
 * of their namespace: a search among memories that do not change reads none.
 */
export async function passingDocuments(
  tx: Transaction,
  cache: SearchCache,
  places: readonly Place[],
  filter: Filter,
): Promise<RankedMemory[]> {
  const known = await comparedIn(tx, cache, places, filter);
  const passing: RankedMemory[] = [];
  const unknown: Place[] = [];
  for (const place of places) {
    const passes = known.get(place.namespaceId)?.passes.get(place.seq);
    const memory = passes === false ? undefined : cache.memories.get(placeKey(place));
    if (passes === true && memory) passing.push(memory);
    else if (passes !== false) unknown.push(place);
  }
  if (unknown.length === 0) return passing;
  const read = await readPassing(tx, unknown, filter);
  for (const memory of read) cache.memories.set(placeKey(memory), memory, bytesOfMemory);
  const found = new Set(read.map(placeKey));
  for (const place of unknown) known.get(place.namespaceId)?.passes.set(place.seq, found.has(placeKey(place)));
  for (const [namespaceId, compared] of known) keep(cache, namespaceId, filter, compared);
  return [...passing, ...read];
}

/** The earlier answers of each namespace in its version; empty for a filter without a key. */
async function comparedIn(
  tx: Transaction,
  cache: SearchCache,
  places: readonly Place[],
  filter: Filter,
): Promise<Map<string, Compared>> {
  if (filter.key === undefined) return new Map();
  const namespaceIds = [...groupedBy(places, ({ namespaceId }) => namespaceId).keys()];
  const versions = await namespaceVersions(tx, namespaceIds);
  return new Map(
    versions.map(({ id, version }) => {
      const compared = cache.passing.get(`${id} ${filter.key}`);
      return [id, compared?.version === version ? compared : { version, passes: new Map<number, boolean>() }];
    }),
  );
}

function keep(cache: SearchCache, namespaceId: string, { key = '' }: Filter, compared: Compared): void {
  cache.passing.set(`${namespaceId} ${key}`, compared, bytesOfAnswer * compared.passes.size + 2 * key.length + 200);
}

function readPassing(tx: Transaction, places: readonly Place[], filter: Filter): Promise<(Row & RankedMemory)[]> {
  const params: Value[] = [places.map((one) => one.namespaceId), places.map((one) => one.seq)];
  const condition = filter((value) => `$${params.push(value)}`);
  return tx.query(
    `select ${rankedColumns} from ${documentsAt} join ${memoryRows} m on m.id = d.memory_id where ${condition}`,
    params,
  );
}
