import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { databaseWriter } from '../../projections/search/database-index.js';
import { leftAmong, leftDocuments } from '../../projections/search/removal.js';
import type { Step } from '../../projections/search/step.js';
import type { Database } from '../adapters/database/database.js';
import { noteErased } from '../ledger/erased.js';
import type { World } from '../world.js';
import { dropLease, keepLease, takeLease } from './lease.js';

const lease = 'removing';
/** A lost process's work is taken over after this; each step renews the lease. */
const leaseMs = 60_000;
/** How often to look for what nobody told us of: what a killed process has left, or another one deletes. */
const lookMs = 1000;
/** How long a caller waits for what it has deleted, and how often it looks. */
const patienceMs = 20_000;
const lookAgainMs = 20;

export interface Removing {
  /**
   * Resolves when nothing of these deleted memories is left in the search index, or after 20 seconds: so much was deleted
   * then that the rest goes while the caller has its answer.
   */
  removed(memoryIds: readonly string[]): Promise<void>;
  /** Finishes the step in hand, then resolves. */
  stop(): Promise<void>;
}

interface RemovingParts {
  readonly database: Database;
  readonly world: World;
  readonly log: Logger;
  /** Of a store that lets one process in it is always the same, so that a start need not wait for the lease of a killed one. */
  readonly owner: string;
}

/**
 * Takes apart what deleted memories have left in the search index, in short transactions. What there is to do stands in the
 * index, so a restart goes on where a killed process was.
 */
export function startRemoving(parts: RemovingParts): Removing {
  const { database, world, log, owner } = parts;
  const stopping = new AbortController();
  let napping = new AbortController();

  const running = (async () => {
    while (!stopping.signal.aborted) {
      napping = new AbortController();
      await removeAllLeft(database, owner, stopping.signal).catch((error) =>
        log.warn({ err: error }, 'removing deleted memories from the search index failed; it is tried again'),
      );
      await world.sleep(lookMs, AbortSignal.any([stopping.signal, napping.signal]));
    }
  })();

  return {
    async removed(memoryIds) {
      const until = performance.now() + patienceMs;
      while (performance.now() < until && !stopping.signal.aborted) {
        // They are deleted, and their receipts are written, whatever keeps us from looking.
        const left = await database.read((tx) => leftAmong(tx, memoryIds)).catch(() => []);
        if (left.length === 0) return;
        napping.abort();
        await world.sleep(lookAgainMs);
      }
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Removes until nothing is left. @returns false when another process is at it */
export async function removeAllLeft(database: Database, owner: string, signal?: AbortSignal): Promise<boolean> {
  const step: Step = (work) =>
    database.transaction(
      async (tx) => !signal?.aborted && (await keepLease(tx, lease, owner, leaseMs)) && (await work(tx)),
    );
  for (;;) {
    const left = await database.read((tx) => leftDocuments(tx));
    if (left.length === 0) return true;
    if (signal?.aborted || !(await takeLease(database, lease, owner, leaseMs))) return false;
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
    await dropLease(database, lease, owner);
  }
}

/** The same for those who need nothing to be left: it waits for a process that is at it, and takes over from a lost one. */
export async function removeSurely(database: Database, owner: string): Promise<void> {
  while (!(await removeAllLeft(database, owner))) await pause(lookMs);
}
