import { Refusal } from '../../contracts/errors.js';
import { inSlices } from '../base/steps.js';
import { ClockInDoubt } from '../base/world.js';
import { StoreBusy, type Transaction } from '../database/database.js';
import { type DecidedAppend, NotAppended } from '../ledger/ledger.js';
import { appendSurely, isLateAfter, type Line, pauseAfterFailure, timeAfter } from './line.js';
import { decideAll, type Waiting } from './waiting.js';

/** A batch that was decided: the append, and the answers to those who wait for it. */
interface DecidedBatch {
  readonly append: DecidedAppend;
  readonly settlements: readonly (() => void)[];
  readonly left: readonly Waiting[];
}

/**
 * Loads, decides and appends a batch in one transaction, at the head of the queue of the processes that write to the chain. A batch that
 * was not appended is decided again with another transaction, with the time of that.
 * @returns the commands that were not appended yet
 */
export async function commitInQueue(
  line: Line,
  appendInQueue: NonNullable<Line['appendInQueue']>,
  batch: readonly Waiting[],
): Promise<readonly Waiting[]> {
  const { world } = line;
  for (let failures = 0; ; ) {
    const wanted = batch.filter((waiting) => waiting.isWaiting());
    if (wanted.length === 0) return [];
    let decided: DecidedBatch | undefined;
    let refusal: unknown;
    const decide = async (tx: Transaction) => {
      try {
        decided = await decideInQueue(line, wanted, tx);
      } catch (error) {
        // It is for the callers, and no failure of the ledger.
        if (!(error instanceof Refusal || error instanceof ClockInDoubt)) throw error;
        refusal = error;
      }
      return decided && decided.append.commits.length > 0 ? decided.append : null;
    };
    const append = async () => {
      try {
        return await appendInQueue(decide);
      } catch (error) {
        if (decided || error instanceof NotAppended) throw error;
        throw new NotAppended('nothing was decided', { cause: error });
      }
    };
    const repeat = () => {
      if (!decided) throw new NotAppended('nothing was decided');
      const { expected, commits, isLate } = decided.append;
      return line.append(expected, commits, isLate);
    };
    try {
      const appended = await appendSurely(world, append, repeat);
      if (!decided) throw refusal;
      if (appended.outcome === 'appended') {
        for (const settle of decided.settlements) settle();
        return decided.left;
      }
      for (const waiting of wanted) waiting.notAppended();
      if (appended.outcome === 'late') line.settledMs = appended.settledMs ?? line.settledMs;
    } catch (error) {
      if (!(error instanceof NotAppended)) throw error;
      for (const waiting of wanted) waiting.notAppended();
      // Another process has held the chain for longer than this one may wait. Those who came meanwhile join the next batch.
      if (error.cause instanceof StoreBusy) return wanted;
      for (const waiting of wanted) waiting.indexLater();
      await pauseAfterFailure(world, error, failures);
      failures += 1;
    }
  }
}

async function decideInQueue(line: Line, batch: readonly Waiting[], tx: Transaction): Promise<DecidedBatch> {
  const { workspaceId, load, world } = line;
  const { head, state } = await load(
    workspaceId,
    batch.map(({ reads }) => reads),
    tx,
  );
  const recordedAt = timeAfter(head, line);
  const { commits, settlements, left } = await inSlices(decideAll(batch, state, head, recordedAt));
  return { append: { expected: head, commits, isLate: isLateAfter(world, recordedAt) }, settlements, left };
}
