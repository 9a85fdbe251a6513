import { Refusal } from '../../contracts/errors.js';
import { inSlices } from '../base/steps.js';
import { ClockInDoubt } from '../base/world.js';
import { StoreBusy, type Transaction } from '../database/database.js';
import {
  type AppendedInQueue,
  type DecidedAppend,
  type DecideInQueue,
  type Entering,
  type Ledger,
  NotAppended,
} from '../ledger/ledger.js';
import { appendSurely, isLateAfter, type Line, pauseAfterFailure, timeAfter } from './line.js';
import type { Loaded } from './state/state.js';
import { decideAll, emptyAppend, type Filling, type Waiting } from './waiting.js';

export type AppendInQueue = NonNullable<Ledger['appendInQueue']>;

/** Commands of one line. */
export interface Batch {
  readonly line: Line;
  readonly commands: readonly Waiting[];
}

/** A batch that was decided: the append, and the answers to those who wait for it. */
interface DecidedBatch {
  readonly append: DecidedAppend;
  readonly settlements: readonly (() => void)[];
  readonly left: readonly Waiting[];
}

/**
 * What became of a batch.
 * - `appended`, except for the commands that had no room.
 * - `refused`: the error is for its callers. It is no failure of the ledger, or one that is final.
 * - `not entered`: another process was in the queue of its chain.
 * - `again`: nothing of it is in the chain. With an error if the store has failed.
 */
export type Attempt =
  | { readonly outcome: 'appended'; readonly left: readonly Waiting[] }
  | { readonly outcome: 'refused'; readonly error: unknown }
  | { readonly outcome: 'not entered' }
  | { readonly outcome: 'again'; readonly error: NotAppended | null };

/**
 * Loads, decides and appends a batch in one transaction, at the head of the queue of the processes that write to the chain. A batch that
 * was not appended is decided again with another transaction, with the time of that.
 * @returns the commands that were not appended yet
 */
export async function commitInQueue(
  appendInQueue: AppendInQueue,
  line: Line,
  waiting: readonly Waiting[],
): Promise<readonly Waiting[]> {
  for (let failures = 0; ; ) {
    const commands = waiting.filter((one) => one.isWaiting());
    if (commands.length === 0) return [];
    const batch = { line, commands };
    const attempt = await commitOnce(appendInQueue, { waitFor: [line.workspaceId] }, [batch])(batch);
    if (attempt.outcome === 'appended') return attempt.left;
    if (attempt.outcome === 'refused') throw attempt.error;
    if (attempt.outcome !== 'again' || attempt.error === null) continue;
    // Another process has held the chain for longer than this one may wait. Those who came meanwhile join the next batch.
    if (attempt.error.cause instanceof StoreBusy) return commands;
    for (const one of commands) one.indexLater();
    await pauseAfterFailure(line.world, attempt.error, failures);
    failures += 1;
  }
}

/**
 * Loads, decides and appends batches of several chains in one transaction, once.
 * @returns a function that waits until it is known what became of one of them
 */
export function commitOnce(
  appendInQueue: AppendInQueue,
  entering: Entering,
  batches: readonly Batch[],
): (batch: Batch) => Promise<Attempt> {
  const decided = new Map<Batch, DecidedBatch>();
  const refusals = new Map<Batch, unknown>();
  const decide: DecideInQueue = async (tx, entered) => {
    const loads = batches.map((batch) => ({ batch, loading: loadFor(batch, tx) }));
    const filling = emptyAppend();
    for (const { batch, loading } of loads) {
      try {
        const loaded = await loading;
        if ((await entered).has(batch.line.workspaceId)) decided.set(batch, await decideBatch(batch, loaded, filling));
      } catch (error) {
        if (!(error instanceof Refusal || error instanceof ClockInDoubt)) throw error;
        refusals.set(batch, error);
      }
    }
    return [...decided.values()].map(({ append }) => append).filter(({ commits }) => commits.length > 0);
  };
  const appending = appendInQueue(entering, decide);
  return (batch) => endOf(batch, appending, () => ({ decided: decided.get(batch), refusal: refusals.get(batch) }));
}

/** All loads are sent at once. When one fails, so does the transaction, and no one waits for the rest of them. */
function loadFor({ line: { load, workspaceId }, commands }: Batch, tx: Transaction): Promise<Loaded> {
  const loading = load(
    workspaceId,
    commands.map(({ reads }) => reads),
    tx,
  );
  loading.catch(() => undefined);
  return loading;
}

async function decideBatch(
  { line, commands }: Batch,
  { head, state }: Loaded,
  filling: Filling,
): Promise<DecidedBatch> {
  const recordedAt = timeAfter(head, line);
  const { commits, settlements, left } = await inSlices(decideAll(commands, state, head, recordedAt, filling));
  const isLate = isLateAfter(line.world, recordedAt);
  return { append: { chain: line.workspaceId, expected: head, commits, isLate }, settlements, left };
}

/** Waits for the append until it is known what became of this batch, and answers those who wait when it was appended. */
async function endOf(
  { line, commands }: Batch,
  appending: Promise<AppendedInQueue>,
  found: () => { readonly decided: DecidedBatch | undefined; readonly refusal: unknown },
): Promise<Attempt> {
  const append = async () => {
    try {
      return await appending;
    } catch (error) {
      if (found().decided?.append.commits.length || error instanceof NotAppended) throw error;
      throw new NotAppended('it has nothing that is appended', { cause: error });
    }
  };
  const repeat = async (): Promise<AppendedInQueue> => {
    const { decided } = found();
    if (!decided) throw new NotAppended('nothing was decided');
    const { expected, commits, isLate } = decided.append;
    return line.append(expected, commits, isLate);
  };
  try {
    const appended = await appendSurely(line.world, append, repeat);
    const { decided, refusal } = found();
    if (refusal !== undefined) return { outcome: 'refused', error: refusal };
    if (!decided) return { outcome: 'not entered' };
    if (appended.outcome === 'appended') {
      for (const settle of decided.settlements) settle();
      return { outcome: 'appended', left: decided.left };
    }
    for (const waiting of commands) waiting.notAppended();
    if (appended.outcome === 'late') line.settledMs = appended.settledMs ?? line.settledMs;
    return { outcome: 'again', error: null };
  } catch (error) {
    if (!(error instanceof NotAppended)) return { outcome: 'refused', error };
    for (const waiting of commands) waiting.notAppended();
    return { outcome: 'again', error };
  }
}
