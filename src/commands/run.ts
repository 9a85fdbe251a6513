import { inSlices } from '../base/steps.js';
import { certainTime, type World } from '../base/world.js';
import { isRefusedByStore, StoreBusy, StoreClosed } from '../database/database.js';
import type { Head } from '../ledger/chain.js';
import { type Appended, ChainHalted, type Commit, type IsLate, type Ledger, NotAppended } from '../ledger/ledger.js';
import type { Command } from './command.js';
import { waitAfterRace, yieldAfterWin } from './lost-race.js';
import { emptyState, type Loaded, type Reads, readsNothing } from './state/state.js';
import { decideAll, type Waiting, waitingFor } from './waiting.js';

/** Runs a command against a workspace's chain and gives its answer once its entries are durable. */
export type Run = <A>(workspaceId: string, command: Command<A>) => Promise<A>;

/** With more commands than this in one transaction, the first of them only waits for the last. */
const batchCommands = 128;
/**
 * How long a batch waits at most for clients that were just answered, most of whom send their next request at once. Taking
 * only those who are there already splits 32 clients into two halves: 700 writes a second instead of 870.
 */
const gatherMs = 10;
/**
 * Entries that are not committed within this number of milliseconds after their time get a new one. Public figures are computed up
 * to 5 s before now.
 */
const lateMs = 4000;
/** Commands that were not appended because the store has failed are decided again after these pauses, in milliseconds, and then refused. */
const pauses = [5, 50, 250, 1000];
/** Between two attempts to learn the outcome of an append. There is no limit to their number. */
const longestPauseMs = 1000;

type Load = (workspaceId: string, reads: readonly Reads[]) => Promise<Loaded>;

/** A chain as this process writes to it, with what is needed to do so. */
interface Line {
  readonly workspaceId: string;
  readonly ledger: Ledger;
  readonly load: Load;
  readonly world: World;
  /** The end of the chain when this process last appended to it; null before that. */
  head: Head | null;
  /** As far as is known here, entries up to this time are settled: a new one must be later. In milliseconds since 1970. */
  settledMs: number;
  busy: boolean;
  waiting: Waiting[];
  /** How many races this process has lost to others one after the other. */
  lost: number;
  /** How many commands are likely to come at once: those that were just answered, and those that waited meanwhile. */
  expected: number;
}

/**
 * The one way into the ledger: load the state, decide, append behind the position the state was loaded at.
 * Commands that wait for the same chain while an append is in progress are decided and committed together, which is what
 * makes a durable write cheap: one commit on PGlite costs 0.7 ms for any number of entries.
 */
export function createRun(ledger: Ledger, load: Load, world: World): Run {
  const lines = new Map<string, Line>();
  return (workspaceId, command) =>
    new Promise((resolve, reject) => {
      let line = lines.get(workspaceId);
      if (!line) {
        line = {
          workspaceId,
          ledger,
          load,
          world,
          head: null,
          settledMs: 0,
          busy: false,
          waiting: [],
          lost: 0,
          expected: 0,
        };
        lines.set(workspaceId, line);
      }
      line.waiting.push(waitingFor(workspaceId, command, resolve, reject));
      if (!line.busy) void drain(line);
    });
}

async function drain(line: Line): Promise<void> {
  line.busy = true;
  while (line.waiting.length > 0) {
    await gather(line);
    const batch = line.waiting.splice(0, batchCommands);
    try {
      const left = await commitBatch(line, batch);
      line.waiting = [...left, ...line.waiting];
      // A batch that was full of bytes needs no others to wait for.
      line.expected = left.length > 0 ? 0 : batch.length + line.waiting.length;
    } catch (error) {
      // Refusals were given one by one; what arrives here is the store failing. No caller may be left waiting.
      for (const waiting of batch) waiting.fail(error);
      line.expected = batch.length + line.waiting.length;
    }
  }
  line.busy = false;
}

async function gather(line: Line): Promise<void> {
  for (let waited = 0; line.waiting.length < line.expected && waited < gatherMs; waited += 1) await line.world.sleep(1);
}

/**
 * One batch. A conflict means that another process has appended since the state was loaded: those who still wait are decided
 * again on the new state, together with those who came meanwhile. No caller is refused for lost races, only when its patience ends.
 * @returns the commands that were not appended yet
 */
async function commitBatch(line: Line, batch: readonly Waiting[]): Promise<readonly Waiting[]> {
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
  for (let failures = 0; ; ) {
    const wanted = batch.filter((waiting) => waiting.isWaiting());
    const recordedAt = timeAfter(head, line);
    const { commits, settlements, end, left } = await inSlices(decideAll(wanted, state, head, recordedAt));
    try {
      const appended = await appendSurely(line, head, commits, isLateAfter(line.world, recordedAt));
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
      if (isFinal(error.cause)) throw error.cause;
      if (error.cause instanceof StoreBusy) return null;
      const pause = pauses[failures];
      if (pause === undefined) throw error;
      failures += 1;
      await line.world.sleep(pause);
    }
  }
}

/** A store that is full or moved says so before it begins anything, one that is closed stays closed, and a halted chain waits for an operator. */
const isFinal = (cause: unknown): boolean =>
  isRefusedByStore(cause) || cause instanceof StoreClosed || cause instanceof ChainHalted;

/**
 * The clock, unless that is behind. The times of a chain never go back, even when the clocks of the processes that write to it
 * do, and no entry gets a time that is settled.
 * @throws ClockInDoubt
 */
function timeAfter({ recordedAt = '' }: Head, { world, settledMs }: Line): string {
  const earliest = new Date(Math.max(certainTime(world).getTime(), settledMs + 1)).toISOString();
  return earliest > recordedAt ? earliest : recordedAt;
}

function isLateAfter(world: World, recordedAt: string): IsLate {
  const from = Date.parse(recordedAt);
  return () => world.now().getTime() - from > lateMs;
}

/**
 * After an error the entries may or may not be there, and nothing else may be appended before that is known: appending the
 * same commits again settles it. Their callers do not wait for it longer than they must.
 * @throws NotAppended when nothing of it is there, and StoreClosed or ChainHalted when the outcome stays unknown
 */
async function appendSurely(
  { workspaceId, ledger, world }: Line,
  expected: Head,
  commits: readonly Commit[],
  isLate: IsLate,
): Promise<Appended> {
  if (commits.length === 0) return { outcome: 'appended' };
  for (let tries = 0; ; tries += 1) {
    try {
      return await ledger.append(workspaceId, expected, commits, isLate);
    } catch (error) {
      if (tries === 0 && error instanceof NotAppended) throw error;
      // Of a later try, NotAppended says nothing about the first one.
      const cause = error instanceof NotAppended ? error.cause : error;
      if (cause instanceof StoreClosed || cause instanceof ChainHalted) throw cause;
      await world.sleep(pauses[tries] ?? longestPauseMs);
    }
  }
}
