import { setTimeout as pause } from 'node:timers/promises';
import type { World } from '../base/world.js';
import type { Entering } from '../ledger/ledger.js';
import { batchCommands, drain, gather } from './drain.js';
import { type AppendInQueue, type Attempt, type Batch, commitInQueue, commitOnce } from './in-queue.js';
import type { Line } from './line.js';
import type { Waiting } from './waiting.js';

/** For how long a chain counts as one that other processes write to, in milliseconds, after one was found in its queue. */
const contendedMs = 1000;

/** For how long the commands of a chain are committed by themselves, in milliseconds, after a group with it was not appended. */
const aloneMs = 10_000;

/** When a group is not committed after this time, in milliseconds, the next one begins beside it. */
const slowMs = 20;

/**
 * Group commit: the commands that wait for several chains are one transaction, because each transaction costs as much as some of its writes.
 * A group waits for no other process. The chains that others are writing to, which it leaves out, are groups of their own for a while:
 * these wait in the queues. What a group does not append is committed chain by chain, so a chain in trouble does not keep others waiting
 * for longer than one group.
 * @returns a function that is called when a command has come into a line
 */
export function groupCommit(appendInQueue: AppendInQueue, world: Pick<World, 'sleep'>): (line: Line) => void {
  const contended = period(contendedMs);
  const troubled = period(aloneMs);
  const free = grouping(world, (batches) => commit(batches, { ifFree: chainsOf(batches) }));
  const queued = grouping(world, (batches) => commit(batches, { waitFor: chainsOf(batches) }));

  function come(line: Line): void {
    if (line.busy || line.waiting.length === 0) return;
    if (troubled.includes(line)) void alone(line);
    else if (contended.includes(line)) queued(line);
    else free(line);
  }

  async function alone(line: Line): Promise<void> {
    await drain(
      line,
      (line, batch) => commitInQueue(appendInQueue, line, batch),
      () => troubled.includes(line),
    );
    come(line);
  }

  /** @returns the lines with commands that had no room */
  async function commit(batches: readonly Batch[], entering: Entering): Promise<readonly Line[]> {
    const ended = commitOnce(appendInQueue, entering, batches);
    const full = await Promise.all(batches.map(async (batch) => release(batch, await ended(batch))));
    return full.flat();
  }

  /** Ends the turn of the line. @returns it, when it has commands that had no room */
  function release({ line, commands }: Batch, attempt: Attempt): readonly Line[] {
    const left = leftOf(commands, attempt);
    line.busy = false;
    if (attempt.outcome === 'refused') for (const command of commands) command.fail(attempt.error);
    line.waiting.unshift(...left);
    // Those who were answered are likely to send another one at once.
    line.expected = left.length > 0 ? 0 : commands.length + line.waiting.length;
    if (attempt.outcome === 'not entered') contended.begin(line);
    if (attempt.outcome === 'again') troubled.begin(line);
    come(line);
    return attempt.outcome === 'appended' && left.length > 0 ? [line] : [];
  }

  return come;
}

/** The commands that are neither appended nor refused. */
function leftOf(commands: readonly Waiting[], attempt: Attempt): readonly Waiting[] {
  if (attempt.outcome === 'appended') return attempt.left;
  return attempt.outcome === 'refused' ? [] : commands;
}

/** The lines for which something has begun less than `ms` ago. */
function period(ms: number) {
  const ends = new WeakMap<Line, number>();
  return {
    begin: (line: Line): void => void ends.set(line, performance.now() + ms),
    includes: (line: Line): boolean => performance.now() < (ends.get(line) ?? 0),
  };
}

const chainsOf = (batches: readonly Batch[]): readonly string[] => batches.map(({ line }) => line.workspaceId);

/**
 * Makes groups of the lines that are ready while the group before is being committed.
 * @param commit returns the lines with commands that had no room: they are the first in the next group, where the first command has room
 *   however large it is
 */
function grouping(
  world: Pick<World, 'sleep'>,
  commit: (batches: readonly Batch[]) => Promise<readonly Line[]>,
): (line: Line) => void {
  /** In the order in which they came. */
  const ready = new Set<Line>();
  // Waiting for the clients of other chains too would make larger groups, but those who come by chance would be waited for in vain: of
  // 150 writes a second at random times to 16 workspaces, half took 19 ms instead of 8.
  const isMissing = (): boolean => [...ready].some(({ waiting, expected }) => waiting.length < expected);
  let isRunning = false;

  async function commitReady(): Promise<void> {
    isRunning = true;
    while (ready.size > 0) {
      await gather(world, isMissing);
      const batches = take(ready);
      if (batches.length === 0) continue;
      const committed = commit(batches).then((full) => putFirst(ready, full));
      await Promise.race([committed, pause(slowMs)]);
    }
    isRunning = false;
  }

  return (line) => {
    ready.add(line);
    if (!isRunning) void commitReady();
  };
}

function putFirst(ready: Set<Line>, lines: readonly Line[]): void {
  const before = [...ready];
  const first = lines.filter((line) => ready.has(line));
  if (first.length === 0) return;
  ready.clear();
  for (const line of [...first, ...before]) ready.add(line);
}

/** Takes the commands of a group out of these lines. */
function take(ready: Set<Line>): Batch[] {
  const batches: Batch[] = [];
  let room = batchCommands;
  for (const line of ready) {
    if (room === 0) break;
    ready.delete(line);
    // Its commands may be in an append by now that was begun in another manner, or their callers have waited for too long.
    line.waiting = line.waiting.filter((one) => one.isWaiting());
    if (line.busy || line.waiting.length === 0) continue;
    const commands = line.waiting.splice(0, room);
    room -= commands.length;
    line.busy = true;
    batches.push({ line, commands });
  }
  return batches;
}
