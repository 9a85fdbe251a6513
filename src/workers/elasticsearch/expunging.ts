import { setTimeout as pause } from 'node:timers/promises';
import { storedIndices } from '../../../projections/search/copies/indices.js';
import { unconfirmedErasures } from '../../../projections/search/copies/progress.js';
import { type Cluster, ElasticsearchFault } from '../../adapters/elasticsearch/client.js';
import { expunge } from '../../adapters/elasticsearch/expunge.js';
import type { Database } from '../../database/database.js';
import { createLease, noteDone, sinceDone } from '../lease.js';
import type { Job } from '../loop.js';
import type { CopyingParts } from './copying.js';

/** A process that was stopped in between begins again, so a margin of an hour keeps the promise of once a day. */
const everyMs = 23 * 60 * 60_000;
const lookMs = 60_000;
/** Longer than all attempts take. */
const leaseMs = 10 * 60_000;
const name = 'elasticsearch expunging';

/** How long the cluster may take to let go of all deleted documents: leases of copies move every 30 seconds. */
export const expungingMs = 2 * 60_000;
const lookAgainMs = 2000;

/** Removes the bytes of deleted memories from the files of Elasticsearch, once a day. */
export function expunging({ database, cluster, owner, log }: CopyingParts): Job {
  const lease = createLease(database, name, owner, leaseMs);
  return {
    name,
    napMs: lookMs,
    firstMs: lookMs,
    lease,
    async work(stopping) {
      if ((await sinceDone(database, name, owner)) < everyMs || !(await lease.take())) return false;
      const over = AbortSignal.any([stopping, AbortSignal.timeout(expungingMs)]);
      const fault = await expungeAll({ database, cluster }, over);
      if (fault !== null) log.warn({ fault }, 'Elasticsearch still holds deleted memories in its files');
      else await noteDone(database, name, owner);
      await lease.drop();
      return false;
    },
  };
}

/**
 * Removes the bytes of deleted memories from every index of the store. It tries again until nothing is left or the time is over.
 * @param prepare runs before each attempt
 * @returns null, or sentences that name each index with deleted memories in its files
 */
export async function expungeAll(
  { database, cluster }: { readonly database: Database; readonly cluster: Cluster },
  over: AbortSignal,
  prepare: () => Promise<void> = async () => undefined,
): Promise<string | null> {
  for (;;) {
    const left = await prepare()
      .then(() => expungeOnce(database, cluster, over))
      .catch(sentenceOf);
    if (left === null || over.aborted) return left;
    await pause(lookAgainMs, undefined, { signal: over }).catch(() => undefined);
  }
}

/** @throws the error, if it is none of the cluster */
function sentenceOf(error: unknown): string {
  if (error instanceof ElasticsearchFault) return `${error.message}.`;
  throw error;
}

async function expungeOnce(database: Database, cluster: Cluster, over: AbortSignal): Promise<string | null> {
  const sentences: string[] = [];
  for (const { name: index, state, uuid } of await database.read(storedIndices)) {
    if (uuid === null) continue;
    const left = state === 'retired' ? 'is being deleted' : await expunge(cluster, index, over);
    if (left !== null) sentences.push(`The index ${index} ${left}.`);
  }
  const unconfirmed = await database.read(unconfirmedErasures);
  if (unconfirmed > 0) sentences.push(`${unconfirmedSentence(unconfirmed)} yet.`);
  return sentences.length > 0 ? sentences.join(' ') : null;
}

/** It has no full stop. */
export const unconfirmedSentence = (count: number): string =>
  `Elasticsearch has not confirmed ${count} deletion${count === 1 ? '' : 's'}`;
