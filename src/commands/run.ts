import type { World } from '../base/world.js';
import type { Ledger } from '../ledger/ledger.js';
import { commitBehind } from './behind.js';
import type { Command } from './command.js';
import { commitInQueue } from './in-queue.js';
import type { Line } from './line.js';
import type { Load } from './state/state.js';
import { type Waiting, waitingFor } from './waiting.js';

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
 * The one way into the ledger: load the state, decide, append behind the position the state was loaded at. Where the log is in
 * the database, all of that is one transaction, at the head of a queue; elsewhere a batch that has lost a race is decided again.
 * Commands that wait for the same chain while an append is in progress are decided and committed together, which is what
 * makes a durable write cheap: one commit on PGlite costs 0.7 ms for any number of entries.
 */
export function createRun(ledger: Ledger, load: Load, world: World): Run {
  const lines = new Map<string, Line>();
  return (workspaceId, command) =>
    new Promise((resolve, reject) => {
      let line = lines.get(workspaceId);
      if (!line) {
        line = newLine(ledger, load, world, workspaceId);
        lines.set(workspaceId, line);
      }
      line.waiting.push(waitingFor(workspaceId, command, resolve, reject));
      if (!line.busy) void drain(line);
    });
}

function newLine(ledger: Ledger, load: Load, world: World, workspaceId: string): Line {
  const { appendInQueue } = ledger;
  return {
    workspaceId,
    append: (expected, commits, isLate) => ledger.append(workspaceId, expected, commits, isLate),
    appendInQueue: appendInQueue && ((decide) => appendInQueue(workspaceId, decide)),
    load,
    world,
    head: null,
    settledMs: 0,
    busy: false,
    waiting: [],
    lost: 0,
    expected: 0,
  };
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

/** @returns the commands that were not appended yet */
function commitBatch(line: Line, batch: readonly Waiting[]): Promise<readonly Waiting[]> {
  const { appendInQueue } = line;
  return appendInQueue ? commitInQueue(line, appendInQueue, batch) : commitBehind(line, batch);
}
