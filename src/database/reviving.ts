import { setTimeout as pause } from 'node:timers/promises';
import { type Database, type PoolLoad, StoreClosed, StoreMoved, StoreUnavailable } from './database.js';
import type { Engine } from './engine.js';

/** The pauses between attempts to open the store again. */
const pauses = [100, 500, 1000, 2000];
const longestPauseMs = 5000;
/** Looking whether a directory is back at its place costs nothing. */
const pauseWhileMovedMs = 500;
/**
 * Requests that arrive while the store is being opened again wait until this time after the failure. Usually it is open
 * by then.
 */
const patienceMs = 5000;

export interface EmbeddedDatabase extends Database {
  /** None while the engine is not open. */
  pools(): readonly PoolLoad[];
}

/**
 * A database that opens its engine again after every failure. Until the engine is open, calls fail with
 * StoreUnavailable. Calls in progress at the failure fail in the same way, and whether a commit among them has happened
 * is unknown. While the directory of the store is not at its place, calls fail with StoreMoved.
 * @param open opens the engine from the data on the disk
 */
export function revivingDatabase(first: Engine, open: () => Promise<Engine>): EmbeddedDatabase {
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
        const ms = reason instanceof StoreMoved ? pauseWhileMovedMs : (pauses[tries] ?? longestPauseMs);
        await pause(ms, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
  }

  const unavailable = () =>
    new StoreUnavailable('The embedded database has failed and is being opened again.', { cause: reason });

  async function current(): Promise<Engine> {
    if (engine && !engine.failure()) return engine;
    if (engine) await engine.dead;
    if (reason instanceof StoreMoved && !engine && !closing.signal.aborted) throw reason;
    const left = patienceMs - (performance.now() - failedAt);
    if (left > 0 && !closing.signal.aborted) await Promise.race([reviving, pause(left, undefined, { ref: false })]);
    if (engine) return engine;
    throw closing.signal.aborted ? new StoreClosed('the database is closed') : unavailable();
  }

  async function withEngine<T>(work: (database: Database) => Promise<T>): Promise<T> {
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
    transaction: (work) => withEngine((database) => database.transaction(work)),
    read: (work) => withEngine((database) => database.read(work)),
    readEach: (work) => withEngine((database) => database.readEach(work)),
    maintain: (sql) => withEngine((database) => database.maintain(sql)),
    pools: () => (engine ? [engine.load()] : []),
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
