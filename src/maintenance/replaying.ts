import type { Recorded } from '../../contracts/entries/recorded.js';
import type { Fold, OnProgress } from '../../projections/projection.js';
import { yieldToOthers } from '../base/steps.js';
import type { Database, Transaction } from '../database/database.js';
import { batchEntries, readRecorded } from '../ledger/check/batches.js';
import type { LeftOut } from '../ledger/check/unusable.js';
import { chainHeads, holdAppends } from '../ledger/entries.js';

/** A replay in progress, with the number of the last entry of each chain that it has read. */
export interface Replay {
  readonly fold: Fold;
  readonly positions: Map<string, number>;
  /** Entries and texts that are left out; with it, others may be missing. Null when nothing may be missing. */
  readonly leftOut: LeftOut | null;
  /** Makes unqualified names mean the tables that are built, for the rest of the transaction. */
  enter(tx: Transaction): Promise<void>;
}

interface Behind {
  readonly chain: string;
  readonly head: number;
}

/**
 * After this number of rounds, the remaining entries are applied while appends wait. Otherwise, writers that are faster than
 * the replay could keep it from ending.
 */
const maxRounds = 10;

/** Applies what was appended, but for about one batch, in short transactions between which the service continues. */
export async function catchUp(database: Database, replay: Replay, onProgress: OnProgress): Promise<void> {
  const { fold, positions, enter } = replay;
  let done = [...positions.values()].reduce((sum, position) => sum + position, 0);
  for (let round = 0; round < maxRounds; round += 1) {
    const behind = await database.transaction((tx) => chainsBehind(tx, positions));
    const left = behind.reduce((sum, { chain, head }) => sum + head - (positions.get(chain) ?? 0), 0);
    const total = done + left;
    onProgress(done, total);
    // The remaining entries were appended during the last round. Up to one batch of them is applied later, while appends wait.
    if (left === 0 || (round > 0 && left <= batchEntries)) return;
    let entries: readonly Recorded[] = [];
    do {
      const read = entries;
      entries = await database.transaction(async (tx) => {
        // A crash of the server repeats what it loses, so commits need not wait for the disk.
        await Promise.all([tx.query('set local synchronous_commit = off'), enter(tx)]);
        // The next batch is requested first, and leaves this thread before it is busy. While the database reads it, this batch
        // is converted to rows; while the database writes these rows, the next batch is parsed.
        const next = readNext(tx, replay, behind);
        next.catch(() => undefined);
        await yieldToOthers();
        // The first that fails is the cause of the failures behind it.
        await Promise.all([next, fold.apply(tx, read)]);
        return next;
      });
      done += read.length;
      onProgress(done, total);
    } while (entries.length > 0);
  }
}

/** Runs `work` in a transaction in which no append is possible, and the tables are at the heads of all chains. */
export function atHeads<T>(database: Database, replay: Replay, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return database.transaction(async (tx) => {
    // Every append locks its row of chains first, so from here on none is in progress and none begins.
    const [, , behind] = await Promise.all([holdAppends(tx), replay.enter(tx), chainsBehind(tx, replay.positions)]);
    while (behind.length > 0) await replay.fold.apply(tx, await readNext(tx, replay, behind));
    return work(tx);
  });
}

async function chainsBehind(tx: Transaction, positions: ReadonlyMap<string, number>): Promise<Behind[]> {
  const heads = await chainHeads(tx);
  return heads.filter(({ chain, head }) => head > (positions.get(chain) ?? 0));
}

/** Reads one batch, from as many of the chains that are behind as needed. Chains that are read to their heads leave the list. */
async function readNext(tx: Transaction, { positions, leftOut }: Replay, behind: Behind[]): Promise<Recorded[]> {
  const batch: Recorded[] = [];
  for (let next = behind.at(-1); next && batch.length < batchEntries; next = behind.at(-1)) {
    const { chain, head } = next;
    const position = positions.get(chain) ?? 0;
    const upTo = Math.min(head, position + batchEntries - batch.length);
    const entries = await readRecorded(tx, chain, position, upTo, leftOut ?? undefined);
    const reached = entries.at(-1)?.entry.seq ?? (leftOut ? upTo : null);
    if (reached === null)
      throw new Error(`entry ${position + 1} of workspace ${chain} is missing. Run: counterfoil fsck`);
    batch.push(...entries);
    positions.set(chain, reached);
    if (reached >= head) behind.pop();
  }
  return batch;
}
