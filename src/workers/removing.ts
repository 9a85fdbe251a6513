import { setTimeout as pause } from 'node:timers/promises';
import { databaseWriter } from '../../projections/search/database-index.js';
import { nextRemoval } from '../../projections/search/due.js';
import { leftAmong, leftDocuments } from '../../projections/search/removal.js';
import type { Step } from '../../projections/search/step.js';
import type { World } from '../base/world.js';
import type { Database } from '../database/database.js';
import { noteErased } from '../ledger/erased.js';
import { createLease, type Lease } from './lease.js';
import type { DueJob } from './lookout.js';

/** A lost process's work is taken over after this; each step renews the lease. */
const leaseMs = 60_000;
/** How often to look without being woken: for what a killed process has left, and for what another one deletes. */
const lookMs = 1000;
/** How long a caller waits for what it has deleted, and how often it looks. */
const patienceMs = 20_000;
const lookAgainMs = 20;

/**
 * Takes apart what deleted memories have left in the search index, in short transactions. The index itself shows what is
 * left, so a restart continues where a killed process was.
 * @param owner of a store that admits one process it is always the same, so that a start need not wait for the lease of a
 *   killed one
 */
export function removing(database: Database, owner: string): DueJob {
  const lease = removingLease(database, owner);
  return {
    name: 'removing',
    due: nextRemoval,
    napMs: lookMs,
    lease,
    async work(stopping) {
      await removeAllLeft(database, lease, stopping);
      return false;
    },
  };
}

/** Of everybody who removes. */
export const removingLease = (database: Database, owner: string): Lease =>
  createLease(database, 'removing', owner, leaseMs);

/**
 * Resolves when nothing of these deleted memories is left in the search index, or after 20 seconds: so much was deleted then
 * that the rest goes while the caller has its answer. It looks into the database, as another process may do the work.
 */
type Removed = (memoryIds: readonly string[]) => Promise<void>;

export function createRemoved(database: Database, world: World, wake: () => void): Removed {
  return async (memoryIds) => {
    const until = performance.now() + patienceMs;
    while (performance.now() < until) {
      // They are deleted, and their receipts are written, even when nothing can be read now.
      const left = await database.read((tx) => leftAmong(tx, memoryIds)).catch(() => []);
      if (left.length === 0) return;
      wake();
      await world.sleep(lookAgainMs);
    }
  };
}

/** Removes until nothing is left. @returns false when another process is at it */
export async function removeAllLeft(database: Database, lease: Lease, stopping?: AbortSignal): Promise<boolean> {
  const step: Step = (work) =>
    database.transaction(async (tx) => !stopping?.aborted && (await lease.keep(tx)) && (await work(tx)));
  for (;;) {
    const left = await database.read((tx) => leftDocuments(tx));
    if (left.length === 0) return true;
    if (stopping?.aborted || !(await lease.take())) return false;
    await databaseWriter.remove(
      left.map(({ memoryId }) => memoryId),
      {
        step,
        // What was erased before may be forgotten by the files while words of it are still here. So it is noted once more.
        last: (memoryIds, work) =>
          step(async (tx) => {
            const done = await work(tx, () => true);
            if (done) await noteErased(tx, memoryIds);
            return done;
          }),
      },
    );
    await lease.drop();
  }
}

/** The same for commands that need nothing to be left: it waits for a process that is at it, and takes over from a lost one. */
export async function removeSurely(database: Database, lease: Lease): Promise<void> {
  while (!(await removeAllLeft(database, lease))) await pause(lookMs);
}
