import type { Database, Transaction } from '../database/database.js';
import { readEntries, type Stored } from '../ledger/entries.js';
import { type HeldPosition, movePosition, takePosition } from '../ledger/positions.js';

interface Followed {
  readonly name: string;
  /** A follower of a new version has positions of its own, and so begins again. */
  readonly version?: number;
  /** Where a follower begins that was never begun: at the first entry of each chain, or behind those that there are. */
  readonly from: 'begin' | 'now';
  /** Whether it follows this chain; without this function it follows all of them. */
  follows?(chain: string): boolean;
}

/**
 * The entries of a chain in order, each exactly once: `apply` writes to the store in the transaction that moves the position. An
 * error, or a lease that was lost, undoes both.
 */
export interface TransactionalFollower extends Followed {
  apply(tx: Transaction, chain: string, entries: readonly Stored[]): Promise<void>;
}

/** How far the entries of a step were sent. */
export interface Sent {
  /** The last entry that was sent. The next step begins behind it. */
  readonly through: number;
  /** Writes to the store in the transaction that moves the position. */
  alongside(tx: Transaction): Promise<void>;
}

/**
 * The entries of a chain in order, each at least once: `send` has its effect elsewhere, and the position moves after it has
 * resolved, when the effect must be durable. Between the two a process may die, and the next one sends these entries again.
 */
export interface SendingFollower extends Followed {
  /**
   * @param lost is aborted when the lease was lost or the process stops: nothing more may be sent then
   * @returns how far it came; null when all of the entries were sent
   */
  send(chain: string, entries: readonly Stored[], lost: AbortSignal): Promise<Sent | null>;
}

export type Follower = TransactionalFollower | SendingFollower;

/** The name under which a follower has its positions. */
export const positionsName = ({ name, version }: Followed): string =>
  version === undefined ? name : `${name}/${version}`;

export interface LeasedParts {
  readonly database: Database;
  /** See `createLease`. */
  readonly owner: string;
  /** How long a chain stays with a process that does not renew its lease. */
  readonly leaseMs?: number;
}

/** Entries of one step. */
const batchSize = 64;
/** Steps in one chain before other chains come first. */
const stepsPerVisit = 16;
const defaultLeaseMs = 30_000;

/** Follows one chain for some steps, while this process has its lease. @returns whether there is more in it */
export async function advance(
  { database, owner, leaseMs = defaultLeaseMs }: LeasedParts,
  follower: Follower,
  chain: string,
  stopping: AbortSignal,
): Promise<boolean> {
  const name = positionsName(follower);
  let held = await database.transaction((tx) => takePosition(tx, name, chain, owner, leaseMs));
  for (let steps = 0; held !== null && steps < stepsPerVisit; steps += 1) {
    if (stopping.aborted) return false;
    const at: HeldPosition = held;
    const entries = await database.read((tx) => readEntries(tx, chain, at.seq, batchSize));
    const last = entries.at(-1)?.entry.seq;
    if (last === undefined) return false;
    // First, because it locks the position until the transaction ends.
    const move = (through: number, work: (tx: Transaction) => Promise<void>) =>
      database.transaction(async (tx) => {
        if (!(await movePosition(tx, at, through, leaseMs))) return null;
        await work(tx);
        return through;
      });
    const reached =
      'apply' in follower
        ? await move(last, (tx) => follower.apply(tx, chain, entries))
        : await sendLeased(database, at, leaseMs, stopping, async (lost) => {
            const sent = await follower.send(chain, entries, lost);
            return sent ? move(sent.through, sent.alongside) : move(last, async () => undefined);
          });
    if (reached === null) return false;
    held = { ...at, seq: reached };
  }
  return held !== null;
}

/**
 * Renews the lease while something is sent. When it cannot be renewed in time, the signal is aborted before another process may
 * take the position.
 */
async function sendLeased(
  database: Database,
  held: HeldPosition,
  leaseMs: number,
  stopping: AbortSignal,
  work: (lost: AbortSignal) => Promise<number | null>,
): Promise<number | null> {
  const losing = new AbortController();
  const lost = AbortSignal.any([stopping, losing.signal]);
  let renewedAt = performance.now();
  const renew = async () => {
    const begun = performance.now();
    const isHeld = await database
      .transaction((tx) => movePosition(tx, held, held.seq, leaseMs))
      // The outcome is unknown; the time that is left decides.
      .catch(() => null);
    if (isHeld) renewedAt = begun;
    else if (isHeld === false) losing.abort();
  };
  const renewing = setInterval(() => {
    void renew();
    if (performance.now() - renewedAt > (2 * leaseMs) / 3) losing.abort();
  }, leaseMs / 4);
  try {
    return await work(lost);
  } finally {
    clearInterval(renewing);
  }
}
