import { setTimeout as pause } from 'node:timers/promises';
import { type Database, StoreClosed, StoreUnavailable } from './database.js';
import type { Engine } from './engine.js';

/** Between two tries to open the store again. */
const pauses = [100, 500, 1000, 2000];
const longestPauseMs = 5000;
/** A request that comes while the store is being opened again waits for it so long after the failure; most are over by then. */
const patienceMs = 5000;

/**
 * A database whose engine is opened again whenever it has failed. Until that is done, what is asked for is refused with
 * StoreUnavailable; what was under way when it failed is too, and of a commit among it nobody knows whether it happened.
 * @param open opens the engine on what is on the disk
 */
export function revivingDatabase(first: Engine, open: () => Promise<Engine>): Database {
  let engine: Engine | null = null;
  let reason: Error | undefined;
  let failedAt = 0;
  let reviving: Promise<void> = Promise.resolve();
  const closing = new AbortController();
  let closed: Promise<void> | undefined;

  function use(opened: Engine): void {
    engine = opened;
    void opened.dead.then(() => {
      engine = null;
      if (closing.signal.aborted) return;
      reason = opened.failure();
      failedAt = performance.now();
      reviving = revive();
    });
  }

  async function revive(): Promise<void> {
    for (let tries = 0; !closing.signal.aborted; tries += 1) {
      try {
        use(await open());
        return;
      } catch (error) {
        reason = error instanceof Error ? error : new Error(String(error));
        await pause(pauses[tries] ?? longestPauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
  }

  const away = () =>
    new StoreUnavailable('The embedded database has failed and is being opened again.', { cause: reason });

  async function current(): Promise<Engine> {
    if (engine && !engine.failure()) return engine;
    if (engine) await engine.dead;
    const left = patienceMs - (performance.now() - failedAt);
    if (left > 0 && !closing.signal.aborted) await Promise.race([reviving, pause(left, undefined, { ref: false })]);
    if (engine) return engine;
    throw closing.signal.aborted ? new StoreClosed('the database is closed') : away();
  }

  async function asked<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const used = await current();
    try {
      return await work(used.database);
    } catch (error) {
      const failure = used.failure();
      if (!failure || error instanceof StoreUnavailable) throw error;
      throw new StoreUnavailable('The embedded database has failed.', { cause: failure });
    }
  }

  use(first);
  return {
    transaction: (work) => asked((database) => database.transaction(work)),
    read: (work) => asked((database) => database.read(work)),
    maintain: (sql) => asked((database) => database.maintain(sql)),
    close() {
      closed ??= (async () => {
        closing.abort();
        await reviving;
        await engine?.stop();
      })();
      return closed;
    },
  };
}
