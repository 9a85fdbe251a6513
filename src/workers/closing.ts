import type { Logger } from 'pino';
import type { CloseBody } from '../../contracts/entries/registry.js';
import { firstMissingFile, lastClosedDay, storeFile } from '../../projections/closes/queries.js';
import { firstOnTimeDay } from '../../projections/facts/days.js';
import { certainTime, type World } from '../base/world.js';
import { closeDelayMs } from '../commands/close-day.js';
import type { Database } from '../database/database.js';
import type { DerivedClose } from '../domain/market/indices/close.js';
import { closingOf, dayOf, readDay } from '../domain/market/indices/days.js';
import { hourMs } from '../domain/market/state/windows.js';
import { deriveClose } from './derive-close.js';
import { createLease } from './lease.js';
import type { Job } from './loop.js';

/** A process that dies while it closes a day leaves the day to others after this time. */
const leaseMs = 60_000;
/** How often the clock is looked at: a test that moves it waits no longer. */
const napMs = 5000;
const firstMs = 1000;

interface ClosingParts {
  readonly database: Database;
  readonly log: Logger;
  readonly world: Pick<World, 'now' | 'doubt'>;
  /** The clock of the server that holds the store, in milliseconds; null where the store has no other clock than this process. */
  readonly serverClock: (() => Promise<number>) | null;
  /** A UUID: who this process is to others on the same store. */
  readonly owner: string;
  /** Makes sure that no entry with this time or an earlier one is committed any more. @returns false when it must be tried again */
  settle(ms: number): Promise<boolean>;
  /** Records a close. @returns false when another process has closed the day, or when it is too early */
  record(close: CloseBody): Promise<boolean>;
}

/**
 * Closes each day of the public market an hour after its end, in order, from the day of the first on-time public receipt. The
 * file of a day is stored before its entry, and is the same in every process, so a crash anywhere leaves nothing to undo.
 */
export function closing(parts: ClosingParts): Job {
  const { database, log, world, owner, serverClock } = parts;
  const lease = createLease(database, 'closing', owner, leaseMs);
  const nextDay = createNextDay(parts);
  let filesAreComplete = false;

  /** A close cannot be taken back, so a day has to be over by both clocks. */
  async function now(): Promise<number> {
    const server = serverClock === null ? Number.POSITIVE_INFINITY : await serverClock();
    return Math.min(server, certainTime(world).getTime());
  }

  /** Works while this process has the lease and is not asked to stop. */
  const derive = (day: number, stopping: AbortSignal): Promise<DerivedClose | null> =>
    deriveClose(database, day, async () => !stopping.aborted && (await lease.take()));

  /** @returns whether there may be another one */
  async function restoreFile(stopping: AbortSignal): Promise<boolean> {
    const missing = await database.read(firstMissingFile);
    if (missing === null) {
      filesAreComplete = true;
      return false;
    }
    if (!(await lease.take())) return false;
    const close = await derive(readDay(missing), stopping);
    if (close === null) return false;
    await database.transaction((tx) => storeFile(tx, missing, close.bytes));
    log.warn({ day: missing }, 'the file of a closed day was missing and has been derived again');
    return true;
  }

  return {
    name: 'closing',
    firstMs,
    napMs,
    lease,
    async work(stopping) {
      if (!filesAreComplete && (await restoreFile(stopping))) return true;
      const day = await nextDay(await now());
      if (day === null || !(await lease.take())) return false;
      const close = await derive(day, stopping);
      if (close === null) return false;
      await database.transaction((tx) => storeFile(tx, close.body.day, close.bytes));
      if (!(await parts.record(close.body))) return false;
      log.info({ day: close.body.day, receipts: close.body.receipts }, 'a day of the market has closed');
      return true;
    },
  };
}

/**
 * Finds the day that must be closed now, when the ledger is settled up to its closing. It asks the database only when a day may
 * have become due since it last did.
 */
function createNextDay({ database, settle }: ClosingParts): (now: number) => Promise<number | null> {
  let asked: number | null = null;

  async function find(due: number): Promise<number | null> {
    const last = await database.read(lastClosedDay);
    const next = last === null ? await database.read((tx) => firstOnTimeDay(tx, due)) : readDay(last) + 1;
    return next === null || next > due ? null : next;
  }

  return async (now) => {
    // The last day that may be closed by now.
    const due = dayOf(now - closeDelayMs - hourMs) - 1;
    if (due === asked) return null;
    if ((await find(due)) === null) asked = due;
    else if (await settle(closingOf(due) - 1)) return find(due);
    return null;
  };
}
