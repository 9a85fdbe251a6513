import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from './database.js';

/** The idle time before background work begins. Clients have sent their next request by then. */
const quietMs = 10;
/**
 * The time after which background work begins anyway, because a client that polls until its memory is ready is never
 * idle. Making a memory ready takes two transactions, so waiting delays it by 50 ms at most.
 */
const patienceMs = 25;

/**
 * Two views of a database that can do one thing at a time: background work waits for a moment in which the foreground
 * is idle. Otherwise an indexing of 60 ms would run between every two commits.
 */
export function foregroundFirst(database: Database): { foreground: Database; background: Database } {
  let running = 0;
  let quietSince = 0;

  async function counted<T>(work: () => Promise<T>): Promise<T> {
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      quietSince = performance.now();
    }
  }

  async function quiet(): Promise<void> {
    const until = performance.now() + patienceMs;
    while (performance.now() < until) {
      if (running === 0 && performance.now() - quietSince >= quietMs) return;
      await pause(quietMs / 2);
    }
  }

  return {
    foreground: {
      ...database,
      transaction: (work) => counted(() => database.transaction(work)),
      read: (work) => counted(() => database.read(work)),
      readEach: (work) => counted(() => database.readEach(work)),
    },
    background: {
      ...database,
      transaction: (work) => quiet().then(() => database.transaction(work)),
      read: (work) => quiet().then(() => database.read(work)),
      readEach: (work) => quiet().then(() => database.readEach(work)),
    },
  };
}
