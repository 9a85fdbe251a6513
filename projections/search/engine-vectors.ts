import type { Transaction } from '../../src/database/database.js';
import { nearestPlaces } from './engine-places.js';
import type { NearPlaces } from './search-engine.js';
import type { RankedCandidates } from './search-index.js';

/**
 * The candidates that an engine has given by vectors. It compares the same codes as the index of the database, with the same
 * result, so nothing is read to choose the same memories, and no process needs to hold the codes of all memories.
 */
export async function engineVectors(
  tx: Transaction,
  given: NearPlaces,
  namespaceIds: readonly string[],
): Promise<RankedCandidates> {
  return {
    namespaceIds,
    documents: await documentsIn(tx, namespaceIds),
    choose: async (size, mayPass) => nearestPlaces(given, size, mayPass),
  };
}

async function documentsIn(tx: Transaction, namespaceIds: readonly string[]): Promise<number> {
  const [row] = await tx.query<{ documents: number }>(
    'select coalesce(sum(documents), 0)::bigint as documents from search_namespaces where namespace_id = any($1::uuid[])',
    [namespaceIds],
  );
  return row?.documents ?? 0;
}
