import { type Cluster, ElasticsearchFault } from './client.js';

/** A merge may rewrite every segment of an index. */
const mergeMs = 60_000;

/**
 * Removes the bytes of deleted documents from the files of an index. Deleting marks documents, and a merge writes segments
 * without them, as soon as no copy of a shard may still ask for the operations. Then a flush drops the log with the operations,
 * and a refresh releases the segments that were merged.
 * @param over is aborted when the time is over
 * @returns null, or what is wrong as the end of a sentence that begins with the name of the index
 */
export async function expunge(cluster: Cluster, index: string, over: AbortSignal): Promise<string | null> {
  try {
    await merge(cluster, index, over);
  } catch (error) {
    if (!over.aborted) return sentenceOf(error);
    return (await whatIsLeft(cluster, index).catch(sentenceOf)) ?? 'was not merged in time';
  }
  return whatIsLeft(cluster, index).catch(sentenceOf);
}

async function merge(cluster: Cluster, index: string, signal: AbortSignal): Promise<void> {
  await cluster.ask(async (client) => {
    const options = { requestTimeout: mergeMs, signal };
    await client.indices.refresh({ index }, options);
    await client.indices.forcemerge({ index, only_expunge_deletes: true, flush: true }, options);
    // The first flush commits the merged segments; after the second one no older commit is left.
    await client.indices.flush({ index, force: true, wait_if_ongoing: true }, options);
    await client.indices.flush({ index, force: true, wait_if_ongoing: true }, options);
    // Searches keep the files of the segments that they have seen last.
    await client.indices.refresh({ index }, options);
  });
}

/** @throws the error, if it is none of the cluster */
function sentenceOf(error: unknown): string {
  if (!(error instanceof ElasticsearchFault)) throw error;
  return error.status === 404 ? 'is being deleted' : `cannot be expunged: ${error.message}`;
}

async function whatIsLeft(cluster: Cluster, index: string): Promise<string | null> {
  const { _all, _shards } = await cluster.ask((client) => client.indices.stats({ index, metric: 'search' }));
  const readers = _all.total?.search?.open_contexts;
  const deleted = await deletedInFiles(cluster, index);
  if ((_shards.failed ?? 0) > 0 || readers === undefined || deleted === null) return 'has copies that do not answer';
  if (readers === 1) return 'is read by 1 open scroll or point in time, which keeps old files';
  if (readers > 1) return `is read by ${readers} open scrolls or points in time, which keep old files`;
  if (deleted > 0) return `still has ${deleted} deleted document${deleted === 1 ? '' : 's'} in its files`;
  return null;
}

/**
 * The deleted documents of all segments that have files: those that searches see, those that writes see, and those of the last
 * commit. The statistics count what writes see only, while the merged segments may still be searched, or not be committed.
 * @returns null if a copy does not answer
 */
async function deletedInFiles(cluster: Cluster, index: string): Promise<number | null> {
  const { indices, _shards } = await cluster.ask((client) => client.indices.segments({ index }));
  if ((_shards.failed ?? 0) > 0) return null;
  const copies = Object.values(indices).flatMap(({ shards }) => Object.values(shards).flat());
  return copies
    .flatMap(({ segments }) => Object.values(segments))
    .reduce((sum, { deleted_docs }) => sum + deleted_docs, 0);
}
