import { storedIndices } from '../../../projections/search/copies/indices.js';
import { unconfirmedErasures } from '../../../projections/search/copies/progress.js';
import type { Database } from '../../adapters/database/database.js';
import type { Cluster } from '../../adapters/elasticsearch/client.js';
import { expunge } from '../../adapters/elasticsearch/expunge.js';
import { createLease, noteDone, sinceDone } from '../lease.js';
import type { Job } from '../loop.js';
import type { CopyingParts } from './copying.js';

/** A process that was stopped in between begins again, so a margin of an hour keeps the promise of once a day. */
const everyMs = 23 * 60 * 60_000;
const lookMs = 60_000;
/** Longer than one index takes. */
const leaseMs = 10 * 60_000;
const name = 'elasticsearch expunging';

/** Removes the bytes of deleted memories from the files of Elasticsearch, once a day. */
export function expunging({ database, cluster, owner, log }: CopyingParts): Job {
  const lease = createLease(database, name, owner, leaseMs);
  return {
    name,
    napMs: lookMs,
    firstMs: lookMs,
    lease,
    async work() {
      if ((await sinceDone(database, name, owner)) < everyMs || !(await lease.take())) return false;
      const fault = await expungeAll(database, cluster, async () => void (await lease.take()));
      if (fault !== null) log.warn({ fault }, 'Elasticsearch still holds deleted memories in its files');
      else await noteDone(database, name, owner);
      await lease.drop();
      return false;
    },
  };
}

/**
 * Removes the bytes of deleted memories from every index of the store.
 * @returns a sentence that names the first index that still holds some, or null
 */
export async function expungeAll(
  database: Database,
  cluster: Cluster,
  before: (done: number, total: number) => Promise<void>,
  patienceMs?: number,
): Promise<string | null> {
  const indices = (await database.read(storedIndices)).filter(({ uuid }) => uuid !== null);
  for (const [done, index] of indices.entries()) {
    await before(done, indices.length);
    if (index.state === 'retired') return `The index ${index.name} is replaced and not deleted yet.`;
    const left = await expunge(cluster, index.name, patienceMs);
    if (left !== null) return `The index ${index.name} ${left}.`;
  }
  const unconfirmed = await database.read(unconfirmedErasures);
  return unconfirmed > 0 ? `Elasticsearch has not confirmed ${unconfirmed} deletions yet.` : null;
}
