import { certainTime, type World } from '../base/world.js';
import { isRefusedByStore, StoreClosed } from '../database/database.js';
import type { Head } from '../ledger/chain.js';
import { type Appended, ChainHalted, type Commit, type IsLate, NotAppended } from '../ledger/ledger.js';
import type { Load } from './state/state.js';
import type { Waiting } from './waiting.js';

/** A chain as this process writes to it, with what is needed to do so. */
export interface Line {
  readonly workspaceId: string;
  append(expected: Head, commits: readonly Commit[], isLate: IsLate): Promise<Appended>;
  readonly load: Load;
  readonly world: World;
  /** The end of the chain when this process last appended to it; null before that. */
  head: Head | null;
  /** As far as is known here, entries up to this time are settled: a new one must be later. In milliseconds since 1970. */
  settledMs: number;
  /** Whether commands of it are just being committed: others wait until that has ended. */
  busy: boolean;
  waiting: Waiting[];
  /** How many races this process has lost to others one after the other. */
  lost: number;
  /** How many commands are likely to come at once: those that were just answered, and those that waited meanwhile. */
  expected: number;
}

/**
 * Entries that are not committed within this number of milliseconds after their time get a new one. Public figures are computed up
 * to 5 s before now.
 */
const lateMs = 4000;
/** Commands that were not appended because the store has failed are decided again after these pauses, in milliseconds, and then refused. */
const pauses = [5, 50, 250, 1000];
/** Between two attempts to learn the outcome of an append. There is no limit to their number. */
const longestPauseMs = 1000;

/**
 * The clock, unless that is behind. The times of a chain never go back, even when the clocks of the processes that write to it
 * do, and no entry gets a time that is settled.
 * @throws ClockInDoubt
 */
export function timeAfter({ recordedAt = '' }: Head, { world, settledMs }: Line): string {
  const earliest = new Date(Math.max(certainTime(world).getTime(), settledMs + 1)).toISOString();
  return earliest > recordedAt ? earliest : recordedAt;
}

export function isLateAfter(world: World, recordedAt: string): IsLate {
  const from = Date.parse(recordedAt);
  return () => world.now().getTime() - from > lateMs;
}

/**
 * After an error the entries may or may not be there, and nothing else may be appended before that is known: appending the
 * same commits again settles it. Their callers do not wait for it longer than they must.
 * @throws NotAppended when nothing of it is there, and StoreClosed or ChainHalted when the outcome stays unknown
 */
export async function appendSurely<A>(world: World, append: () => Promise<A>, repeat: () => Promise<A>): Promise<A> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await (tries === 0 ? append() : repeat());
    } catch (error) {
      if (tries === 0 && error instanceof NotAppended) throw error;
      // Of a later try, NotAppended says nothing about the first one.
      const cause = error instanceof NotAppended ? error.cause : error;
      if (cause instanceof StoreClosed || cause instanceof ChainHalted) throw cause;
      await world.sleep(pauses[tries] ?? longestPauseMs);
    }
  }
}

/**
 * Waits before commands are decided again that were not appended because the store has failed.
 * @param failures how often it has failed before
 * @throws the cause when it is final, and NotAppended when it has failed too often
 */
export async function pauseAfterFailure(world: World, error: NotAppended, failures: number): Promise<void> {
  if (isFinal(error.cause)) throw error.cause;
  const pause = pauses[failures];
  if (pause === undefined) throw error;
  await world.sleep(pause);
}

/** A store that is full or moved says so before it begins anything, one that is closed stays closed, and a halted chain waits for an operator. */
const isFinal = (cause: unknown): boolean =>
  isRefusedByStore(cause) || cause instanceof StoreClosed || cause instanceof ChainHalted;
