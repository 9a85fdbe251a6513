import { recentJobs } from '../../projections/ingest/queries.js';
import { BoundedCache } from '../base/bounded-cache.js';
import { idsSince, type World } from '../base/world.js';
import type { Database, Transaction } from '../database/database.js';
import { type Caller, mayWrite } from '../domain/caller.js';

/** Of the jobs that a credential has queued in the last 10 seconds, a search waits a second for at most 20. */
const waited = { queuedMs: 10_000, jobs: 20, ms: 1000 } as const;

/** Jobs that have not ended in time, of which no search waits for the same one twice. */
const remembered = 4096;

/** The writes of a credential a moment ago: its searches wait until they find them. */
export interface OwnWrites {
  /**
   * Reads with `work`, a second time if it had to wait: for a second at most, for the jobs that the credential of the caller has
   * queued in the last 10 seconds and that have never failed, if they are at most 20.
   */
  read<T>(caller: Caller, work: (tx: Transaction) => Promise<T>, signal?: AbortSignal): Promise<T>;
}

interface Parts {
  readonly read: Database['read'];
  readonly world: Pick<World, 'id'>;
  /** Whether any caller may have queued a job in these last milliseconds. Without one the jobs are not looked at. */
  mayHaveQueued(ms: number): boolean;
  readonly jobWaits: {
    /** @returns the jobs that had not ended in time; null where as many requests wait as may */
    all(jobIds: readonly string[], ms: number, signal?: AbortSignal): Promise<readonly string[] | null>;
  };
}

/**
 * The jobs are those of the database, because another process may have taken the write. They are read by a statement that is sent
 * before those of the search and together with them, so it costs no round trip.
 */
export function createOwnWrites({ read, world, mayHaveQueued, jobWaits }: Parts): OwnWrites {
  const late = new BoundedCache<true>(remembered);

  async function openJobs(tx: Transaction, { workspaceId, actor }: Caller): Promise<readonly string[]> {
    if (actor.id === null) return [];
    const since = idsSince(world, waited.queuedMs);
    const jobs = await recentJobs(tx, { workspaceId, queuedBy: actor.id, since }, waited.jobs + 1);
    return jobs.length > waited.jobs ? [] : jobs.filter((id) => !late.get(id));
  }

  return {
    async read(caller, work, signal) {
      if (!mayWrite(caller) || !mayHaveQueued(waited.queuedMs)) return read(work);
      const [jobs, found] = await read((tx) => Promise.all([openJobs(tx, caller), work(tx)]));
      if (jobs.length === 0) return found;
      const left = await jobWaits.all(jobs, waited.ms, signal);
      signal?.throwIfAborted();
      for (const id of left ?? []) late.set(id, true);
      return read(work);
    },
  };
}
