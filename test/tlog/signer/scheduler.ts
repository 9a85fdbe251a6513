/** Random numbers that a seed repeats (mulberry32). */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    below: (count: number): number => Math.floor(next() * count),
    chance: (probability: number): boolean => next() < probability,
    of<T>(all: readonly T[]): T | undefined {
      return all[Math.floor(next() * all.length)];
    },
    bytes: (count: number): string =>
      Array.from({ length: count }, () =>
        Math.floor(next() * 256)
          .toString(16)
          .padStart(2, '0'),
      ).join(''),
  };
}

export type Random = ReturnType<typeof createRandom>;

/** Work of a process of the simulation. It waits at each step until it is resumed; that of a killed process never is. */
export interface Task {
  readonly owner: object;
  /** The step that it waits for; null while it runs. */
  resume: (() => void) | null;
  done: boolean;
  /** Everything that it has done last that matters. */
  last: string;
}

/** Runs tasks one step at a time, in an order that the caller decides. */
export function createScheduler() {
  let tasks: Task[] = [];
  let current: Task | null = null;

  /** Until all that runs waits for a step, or has ended. Promises that are resolved continue before this. */
  const quiet = () => new Promise<void>((resolve) => setImmediate(resolve));

  async function run(task: Task, begin: () => void): Promise<void> {
    current = task;
    begin();
    await quiet();
    current = null;
    tasks = tasks.filter(({ done }) => !done);
  }

  return {
    waiting: (): readonly Task[] => tasks,
    /** Ends the step of the task that runs; the rest of it comes when it is resumed. `done` names what it has done. */
    step(done?: string): Promise<void> {
      const task = current;
      if (task === null) throw new Error('a step outside of a task');
      task.last = done ?? task.last;
      return new Promise((resolve) => {
        task.resume = resolve;
      });
    },
    /** Names what the task that runs has done. */
    did(done: string): void {
      if (current !== null) current.last = done;
    },
    /** @param work whose errors are its own affair */
    start(owner: object, work: () => Promise<unknown>): Promise<void> {
      const task: Task = { owner, resume: null, done: false, last: 'begin' };
      tasks.push(task);
      return run(task, () => {
        const ended = () => {
          task.done = true;
        };
        work().then(ended, ended);
      });
    },
    async resume(task: Task): Promise<void> {
      const { resume } = task;
      task.resume = null;
      await run(task, () => resume?.());
    },
    /** @returns the tasks that were ended */
    kill(owner: object): readonly Task[] {
      const killed = tasks.filter((task) => task.owner === owner);
      tasks = tasks.filter((task) => task.owner !== owner);
      return killed;
    },
  };
}

export type Scheduler = ReturnType<typeof createScheduler>;
