import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from './database.js';

/** So long nobody must have asked for anything before background work begins: clients send their next request by then. */
const quietMs = 10;
/**
 * After this long background work begins anyway: a client that polls until its memory is ready is never silent, and making one
 * ready takes two transactions, so all this politeness costs it 50 ms at most.
 */
const patienceMs = 25;

/**
 * Two views of a database that can do one thing at a time: what runs in the background waits for a moment in which the
 * foreground has nothing under way. Without it an indexing of 60 ms stands between every two commits.
 */
export function foregroundFirst(database: Database): { foreground: Database; background: Database } {
  let underWay = 0;
  let quietSince = 0;

  async function counted<T>(work: () => Promise<T>): Promise<T> {
    underWay += 1;
    try {
      return await work();
    } finally {
      underWay -= 1;
      quietSince = performance.now();
    }
  }

  async function quiet(): Promise<void> {
    const until = performance.now() + patienceMs;
    while (performance.now() < until) {
      if (underWay === 0 && performance.now() - quietSince >= quietMs) return;
      await pause(quietMs / 2);
    }
  }

  return {
    foreground: {
      ...database,
      transaction: (work) => counted(() => database.transaction(work)),
      read: (work) => counted(() => database.read(work)),
    },
    background: {
      ...database,
      transaction: (work) => quiet().then(() => database.transaction(work)),
      read: (work) => quiet().then(() => database.read(work)),
    },
  };
}
