import { type Database, StoreUnavailable, type Transaction } from '../database/database.js';
import type { Commit } from './ledger.js';

/**
 * The time up to which the ledger is settled: no entry with this time or an earlier one will be committed any more, in any
 * process on the same store. It is one row of the database.
 *
 * An append holds a shared lock from before its first statement until its commit, and looks at that time while it holds the
 * lock. The time is moved under the exclusive lock. So an append either has committed before the time moves, and is seen by
 * every read after that, or it sees the new time and is refused.
 *
 * An engine whose log is not the database looks at the time in the transaction in which it stages an append. The time does not move
 * beyond an append that is staged and not applied yet.
 */
export interface SettledTimes {
  /**
   * Settles the ledger up to this time, or leaves it as it is when it is settled further.
   * @returns the time up to which it is settled now. It is earlier than this one when an append has not ended for a moment:
   *   other appends wait for that moment at most. Try again later.
   */
  settle(ms: number): Promise<number>;
}

/** The advisory lock of the settled time. The number has no other meaning. */
export const settledLock = 4_201_703;

/** How long appends wait at most for one that has not ended. */
const patienceMs = 100;

export function createSettledTimes(database: Database): SettledTimes {
  return {
    async settle(ms) {
      const settled = await database.read(readSettled);
      if (settled >= ms) return settled;
      try {
        await database.maintain(moveTo(ms));
        return await database.read(readSettled);
      } catch (error) {
        if (isLockTimeout(error)) return settled;
        throw error;
      }
    },
  };
}

/** One statement with its own commit, so that a process that stops in the middle does not keep the lock. */
const moveTo = (ms: number): string => `do $$ begin
  perform set_config('lock_timeout', '${patienceMs}', true);
  perform pg_advisory_xact_lock(${settledLock});
  insert into settled_time as s (ms) select ${ms} where not exists (select 1 from pending_appends where recorded_ms <= ${ms})
    on conflict (only_row) do update set ms = excluded.ms where s.ms < excluded.ms;
end $$`;

/**
 * Keeps the settled time where it is until the transaction ends. Only a later statement is sure to see it. It must be called
 * before anything else of the transaction: one that waits for this lock must not hold others for which those wait that have it
 * (`queue.ts` has the order of all locks of an append).
 */
export async function holdSettled(tx: Transaction): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock_shared(${settledLock})`);
}

export async function readSettled(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ ms: number }>('select ms from settled_time');
  return row?.ms ?? 0;
}

/** Whether an entry of these commits has a time that is settled. All entries of an append have the same time. */
export const isSettled = (commits: readonly Commit[], settledMs: number): boolean =>
  commits.some(({ entries: [first] }) => first !== undefined && Date.parse(first.entry.recorded_at) <= settledMs);

function isLockTimeout(error: unknown): boolean {
  const cause = error instanceof StoreUnavailable ? error.cause : error;
  return cause instanceof Error && 'code' in cause && cause.code === '55P03';
}
