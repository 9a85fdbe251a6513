import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster } from './client.js';

/** How long the cluster may take to let go of deleted documents: leases of copies move every 30 seconds. */
const patienceMs = 2 * 60_000;
const lookAgainMs = 2000;
/** A merge may rewrite every segment of an index. */
const mergeMs = 60_000;

/**
 * Removes the bytes of deleted documents from the files of an index. Deleting marks documents, and a merge writes segments
 * without them, as soon as no copy of a shard may still ask for the operations. Then a flush drops the log with the operations.
 * @param patience how long it tries
 * @returns null, or what still holds deleted documents as the end of a sentence that begins with the name of the index
 * @throws ElasticsearchFault
 */
export async function expunge(cluster: Cluster, index: string, patience = patienceMs): Promise<string | null> {
  const until = performance.now() + patience;
  for (;;) {
    await cluster.ask(async (client) => {
      await client.indices.refresh({ index });
      await client.indices.forcemerge({ index, only_expunge_deletes: true, flush: true }, { requestTimeout: mergeMs });
      // The first flush commits the merged segments; after the second one no older commit is left.
      await client.indices.flush({ index, force: true, wait_if_ongoing: true });
      await client.indices.flush({ index, force: true, wait_if_ongoing: true });
    });
    const left = await whatIsLeft(cluster, index);
    if (left === null || performance.now() > until) return left;
    await pause(lookAgainMs);
  }
}

async function whatIsLeft(cluster: Cluster, index: string): Promise<string | null> {
  const { _all, _shards } = await cluster.ask((client) =>
    client.indices.stats({ index, metric: ['docs', 'search', 'translog'] }),
  );
  const { docs, search, translog } = _all.total ?? {};
  if ((_shards.failed ?? 0) > 0 || !docs) return 'has copies that do not answer';
  if ((docs.deleted ?? 0) > 0) return `still has ${docs.deleted} deleted documents in its files`;
  if ((search?.open_contexts ?? 0) > 0) {
    return `is read by ${search?.open_contexts} open scrolls or points in time, which keep old files`;
  }
  if ((translog?.uncommitted_operations ?? 0) > 0) return 'is being written';
  return null;
}
