import { Refusal } from '../../contracts/errors.js';

export interface QueueLimits {
  /** The number of tasks that run at the same time. */
  readonly atOnce: number;
  /** The largest number of bytes of all tasks that run or wait. Waiting input is held in memory, in several copies. */
  readonly heldBytes: number;
  /** The same two numbers for the tasks of one owner. Without them an owner may use every place, and half of the bytes. */
  readonly own?: { readonly atOnce?: number; readonly heldBytes?: number };
  /** How many tasks of more than these bytes run at the same time, of all owners. The other places stay free for small tasks. */
  readonly large?: LargeTasks;
  /** The name of the tasks in a refusal, in the plural. */
  readonly what?: string;
}

interface LargeTasks {
  readonly bytes: number;
  readonly atOnce: number;
}

/** A piece of work that waits until it may start. */
export interface Task {
  /** The owner of the work: a workspace, or the network of a client without one. */
  readonly owner: string;
  /** Its size, by which the next task of its owner starts later. */
  readonly bytes: number;
}

/**
 * Runs work, that of several owners alternately. @throws Refusal rate_limited when too many bytes of this owner, or of all owners, run
 * or wait already
 */
export type Queue = <T>(task: Task, work: () => Promise<T>) => Promise<T>;

/**
 * The one scheduler of what several owners share: threads, readers of documents, exports, large bodies.
 *
 * Owners get equal bytes of work, not equal numbers of tasks. The next task is the one with which its owner has had the fewest
 * bytes, itself included, so small tasks go before large ones. An owner who is new here, or comes back, begins
 * where the other owners are: its task waits for no more bytes of each of them than it has itself, and for what has begun; it
 * saves nothing up while it sends nothing. Among the tasks of one owner the small ones come first, until as many bytes were done after a large
 * one came as it has itself. This is self-clocked fair queueing (Golestani, 1994).
 */
export function createQueue({ atOnce, heldBytes, own = {}, large, what = 'large requests' }: QueueLimits): Queue {
  const lines = createLines(own.atOnce ?? atOnce, large ?? { bytes: Number.POSITIVE_INFINITY, atOnce });
  const held = createHeld(heldBytes, own.heldBytes ?? heldBytes / 2, what);
  let working = 0;

  function startNext(): void {
    while (working < atOnce) {
      const start = lines.next();
      if (start === null) return;
      working += 1;
      start();
    }
  }

  return async ({ owner, bytes }, work) => {
    held.take(owner, bytes);
    try {
      await new Promise<void>((start) => {
        lines.wait(owner, bytes, start);
        startNext();
      });
      try {
        return await work();
      } finally {
        working -= 1;
        lines.end(owner, bytes);
        startNext();
      }
    } finally {
      held.give(owner, bytes);
    }
  };
}

/** The cost of a task to its owner beside its bytes: a small one has to be started and ended too. */
const taskBytes = 4096;

interface Waiting {
  /** Of the waiting tasks of an owner the one with the smallest rank starts first. */
  readonly rank: number;
  readonly cost: number;
  readonly isLarge: boolean;
  start(): void;
}

interface Line {
  /** The bytes that this owner has had, counted from where the other owners were when it came. */
  spent: number;
  working: number;
  /** In the order of their ranks. */
  readonly waiting: Waiting[];
}

/** The lines of all owners who have work here, or have had more than other owners. */
function createLines(ownAtOnce: number, large: LargeTasks) {
  const lines = new Map<string, Line>();
  /** The bytes that the owner of the newest task has had, that task included. Owners who come now begin here. */
  let reached = 0;
  let largeWorking = 0;

  /** The line whose task starts next, and that task. Forgets owners who have no work and have had no more than other owners. */
  function first(): { readonly line: Line; readonly task: Waiting } | null {
    let found: { readonly line: Line; readonly task: Waiting } | null = null;
    for (const [owner, line] of lines) {
      if (line.waiting.length === 0 && line.working === 0 && line.spent <= reached) lines.delete(owner);
      const task = nextOf(line);
      if (task && (found === null || after(line, task) < after(found.line, found.task))) found = { line, task };
    }
    return found;
  }

  /** The task of a line that may start. While no more large ones may run, small ones behind them go first. */
  function nextOf({ waiting, working }: Line): Waiting | undefined {
    if (working >= ownAtOnce) return undefined;
    return largeWorking < large.atOnce ? waiting[0] : waiting.find(({ isLarge }) => !isLarge);
  }

  /** The bytes that an owner will have had after a task. An owner whose own bound held it back does not catch up. */
  const after = ({ spent }: Line, { cost }: Waiting): number => Math.max(reached, spent + cost);

  return {
    wait(owner: string, bytes: number, start: () => void): void {
      const line = lines.get(owner) ?? { spent: reached, working: 0, waiting: [] };
      lines.set(owner, line);
      if (line.waiting.length === 0) line.spent = Math.max(line.spent, reached);
      const cost = bytes + taskBytes;
      const rank = line.spent + cost;
      line.waiting.splice(placeOf(line.waiting, rank), 0, {
        rank,
        cost,
        isLarge: bytes > large.bytes,
        start,
      });
    },
    /** Takes the next task out of its line. @returns how it starts; null while there is none that may start */
    next(): (() => void) | null {
      const found = first();
      if (found === null) return null;
      const { line, task } = found;
      reached = after(line, task);
      line.spent = reached;
      line.working += 1;
      if (task.isLarge) largeWorking += 1;
      line.waiting.splice(line.waiting.indexOf(task), 1);
      return task.start;
    },
    end(owner: string, bytes: number): void {
      const line = lines.get(owner);
      if (line) line.working -= 1;
      if (bytes > large.bytes) largeWorking -= 1;
    },
  };
}

/** Where a task of this rank goes among those that wait: behind the ones that came earlier with the same rank. */
function placeOf(waiting: readonly Waiting[], rank: number): number {
  let [from, to] = [0, waiting.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((waiting[middle]?.rank ?? 0) <= rank) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The bytes that run or wait, of everybody and of each owner. */
function createHeld(most: number, mostOfOne: number, what: string) {
  const owners = new Map<string, number>();
  let all = 0;
  return {
    /** @throws Refusal rate_limited */
    take(owner: string, bytes: number): void {
      const own = owners.get(owner) ?? 0;
      if (all + bytes > most) throw tooMuch(`Many ${what} are in progress. Wait 5 s.`);
      if (own > 0 && own + bytes > mostOfOne) {
        throw tooMuch(`Many ${what} of this workspace or address are in progress. Wait 5 s.`);
      }
      all += bytes;
      owners.set(owner, own + bytes);
    },
    give(owner: string, bytes: number): void {
      all -= bytes;
      const left = (owners.get(owner) ?? 0) - bytes;
      if (left > 0) owners.set(owner, left);
      else owners.delete(owner);
    },
  };
}

const tooMuch = (sentence: string) => new Refusal('rate_limited', sentence, { retry_after_seconds: 5 });
