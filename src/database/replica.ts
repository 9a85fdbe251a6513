import { setTimeout as pause } from 'node:timers/promises';
import { pauseAfter } from '../base/backoff.js';
import { type Database, StoreUnavailable, type Transaction } from './database.js';

/** How long a read waits at most until the replica has what it needs. Then the primary answers. */
const patienceMs = 500;
/** The pauses between two looks of a read that waits, and of a replica that failed: at first, and at most. */
const waiting = { firstMs: 2, longestMs: 32 };
const failing = { firstMs: 250, longestMs: 4000 };

type Work<T> = (tx: Transaction) => Promise<T>;

/** Whether the replica has what a read needs. */
type HasReached = Work<boolean>;

/**
 * Why a replica is not used: `behind` it lacks what a read has needed, `away` it does not answer, `alien` it is not a replica of
 * this database now.
 */
export type ReplicaFault = 'behind' | 'away' | 'alien';

interface ReplicaParts {
  readonly replica: Pick<Database, 'read' | 'close'>;
  /** The state that the replica must have now to be used again after a failure. */
  newest(): Promise<HasReached>;
  /** Whether the server is a replica of this database. */
  isReplica: Work<boolean>;
  /** Called when the replica is not used any more, and with null when it is used again. */
  onChange(fault: ReplicaFault | null): void;
}

export interface Replica {
  /**
   * Runs `work` on the replica when it has reached what is needed.
   * @returns null when it has not in time, or when it failed, and then `work` may have run in part
   */
  read<T>(reached: HasReached, work: Work<T>): Promise<{ readonly found: T } | null>;
  /** Null while the replica is used. */
  fault(): ReplicaFault | null;
  /** Looks at the replica, and uses it if there is no fault. Until then it is not used. @throws StoreUnavailable */
  look(): Promise<ReplicaFault | null>;
  close(): Promise<void>;
}

/**
 * Reads on a replica that may be behind, slow or gone. After a failure no read waits for it: it is looked at in the background
 * until it is there again.
 */
export function createReplica({ replica, newest, isReplica, onChange }: ReplicaParts): Replica {
  const closing = new AbortController();
  let fault: ReplicaFault | null = 'away';
  let isKnown = false;
  let recovering: Promise<void> | null = null;

  function change(to: ReplicaFault | null): void {
    if (isKnown && fault === to) return;
    isKnown = true;
    fault = to;
    onChange(to);
  }

  /** @throws StoreUnavailable */
  async function faultNow(): Promise<ReplicaFault | null> {
    if (!(await replica.read(isReplica))) return 'alien';
    return (await inTime(replica, await newest(), isReplica)) === null ? 'behind' : null;
  }

  async function recover(): Promise<void> {
    for (let tries = 0; fault !== null; tries += 1) {
      await pause(pauseAfter(failing, tries), undefined, { signal: closing.signal, ref: false });
      change(await faultNow().catch(() => 'away' as const));
    }
  }

  function fail(found: ReplicaFault): void {
    change(found);
    recovering ??= recover()
      .catch(() => undefined)
      .finally(() => {
        recovering = null;
      });
  }

  return {
    async read(reached, work) {
      if (fault !== null) return null;
      try {
        const done = await inTime(replica, reached, work);
        if (done === null) fail('behind');
        return done;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        fail('away');
        return null;
      }
    },
    fault: () => fault,
    async look() {
      try {
        const found = await faultNow();
        if (found === null) change(null);
        else fail(found);
        return found;
      } catch (error) {
        fail('away');
        throw error;
      }
    },
    async close() {
      closing.abort();
      await recovering;
      await replica.close();
    },
  };
}

/**
 * Runs `work` once the replica has reached what is needed.
 * @returns null when it has not in time
 * @throws StoreUnavailable, and what `work` throws
 */
async function inTime<T>(
  replica: Pick<Database, 'read'>,
  reached: HasReached,
  work: Work<T>,
): Promise<{ readonly found: T } | null> {
  const begun = new AbortController();
  const late = pause(patienceMs, null, { signal: begun.signal }).catch(() => new Promise<never>(() => undefined));
  let isOver = false;
  async function tries() {
    for (let looks = 0; !isOver; looks += 1) {
      const done = await replica.read(async (tx) => {
        if (!(await reached(tx)) || isOver) return null;
        // From here on the time limits of its statements hold.
        begun.abort();
        return { found: await work(tx) };
      });
      if (done) return done;
      await pause(pauseAfter(waiting, looks));
    }
    return null;
  }
  const trying = tries();
  trying.catch(() => undefined);
  try {
    return await Promise.race([trying, late]);
  } finally {
    isOver = true;
    begun.abort();
  }
}
