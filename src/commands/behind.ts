import { inSlices } from '../base/steps.js';
import { StoreBusy } from '../database/database.js';
import { type Appended, NotAppended } from '../ledger/ledger.js';
import { appendSurely, isLateAfter, type Line, pauseAfterFailure, timeAfter } from './line.js';
import { waitAfterRace, yieldAfterWin } from './lost-race.js';
import { emptyState, type Loaded, readsNothing } from './state/state.js';
import { decideAll, type Waiting } from './waiting.js';

/**
 * Decides a batch on the state at a head, and appends behind that head. A conflict means that another process has appended since the
 * state was loaded: those who still wait are decided again on the new state, together with those who came meanwhile. No caller is
 * refused for lost races, only when its patience ends.
 * @returns the commands that were not appended yet
 */
export async function commitBehind(line: Line, batch: readonly Waiting[]): Promise<readonly Waiting[]> {
  const wanted = batch.filter((waiting) => waiting.isWaiting());
  if (wanted.length === 0) return [];
  const since = performance.now();
  const reads = wanted.map((waiting) => waiting.reads);
  const loaded =
    reads.every(readsNothing) && line.head !== null
      ? { head: line.head, state: emptyState }
      : await line.load(line.workspaceId, reads);
  const othersWrite = line.lost > 0 || (line.head !== null && line.head.seq !== loaded.head.seq);
  const left = await appendBehind(line, wanted, loaded);
  if (left) {
    line.lost = 0;
    if (othersWrite) await yieldAfterWin(line.world, performance.now() - since);
    return left;
  }
  await waitAfterRace(line.world, line.lost);
  line.lost += 1;
  return wanted;
}

const nothing: Appended = { outcome: 'appended' };

/**
 * Decides and appends. Commands that are known not to have been appended are decided again with the time of that moment:
 * no entry has a time at which it was not written.
 * @returns the commands that did not fit, or null when the chain does not end any more where it did
 */
async function appendBehind(
  line: Line,
  batch: readonly Waiting[],
  { head, state }: Loaded,
): Promise<readonly Waiting[] | null> {
  const { world } = line;
  for (let failures = 0; ; ) {
    const wanted = batch.filter((waiting) => waiting.isWaiting());
    const recordedAt = timeAfter(head, line);
    const { commits, settlements, end, left } = await inSlices(decideAll(wanted, state, head, recordedAt));
    const append = () => line.append(head, commits, isLateAfter(world, recordedAt));
    try {
      const appended = commits.length === 0 ? nothing : await appendSurely(world, append, append);
      if (appended.outcome === 'appended') {
        line.head = end;
        for (const settle of settlements) settle();
        return left;
      }
      for (const waiting of wanted) waiting.notAppended();
      if (appended.outcome === 'conflict') {
        line.head = appended.head;
        return null;
      }
      line.settledMs = appended.settledMs ?? line.settledMs;
    } catch (error) {
      if (!(error instanceof NotAppended)) throw error;
      for (const waiting of wanted) waiting.notAppended();
      if (error.cause instanceof StoreBusy) return null;
      for (const waiting of wanted) waiting.indexLater();
      await pauseAfterFailure(world, error, failures);
      failures += 1;
    }
  }
}
