import type { Bind, Due } from '../../projections/due.js';
import type { Database, Transaction, Value } from '../database/database.js';
import { roles } from '../settings/roles.js';
import { createWorker, type Job, type Surroundings, type Worker } from './loop.js';

/** A job whose work the database shows. */
export interface DueJob extends Job {
  readonly due: Due;
  /** Whether it waits for something that the database does not show. It is woken every second then. */
  isWaiting?(): boolean;
}

interface LookoutParts extends Surroundings {
  readonly world: Surroundings['world'] & { now(): Date };
  readonly database: Pick<Database, 'readEach'>;
  /**
   * Differs from what it was before when anything may have been written to the store since. Where other processes write to the same
   * store, it differs each time.
   */
  readonly revision: () => number;
}

/** How often it is looked whether there is work that this process was not woken for, or whose time has come. */
const lookMs = 1000;
/** How often a worker looks by itself all the same. No work waits for that; it is the answer to a mistake here. */
const slowMs = 60_000;

interface Watched {
  readonly worker: Worker;
  readonly job: DueJob;
  isStarted: boolean;
  isDue: boolean;
}

/**
 * Wakes the workers of this process when there is work for them: one statement a second asks for all of them, and none where nothing
 * was written and no time has come. Each worker that looked by itself cost an idle service 10 transactions a second.
 *
 * The answer is about the state of the store and not about a change of it, so no work is missed: while there is any, its worker is
 * woken every second. It is woken once more when there is none, because what another process has ended it learns only by looking.
 */
export function createLookout(parts: LookoutParts) {
  const { world, log, database, revision } = parts;
  const all: Watched[] = [];
  let seen = { revision: Number.NaN, workers: 0 };
  let nextMs = Number.NEGATIVE_INFINITY;

  async function look(): Promise<void> {
    const started = all.filter(({ isStarted }) => isStarted);
    for (const { worker, job } of started) if (job.isWaiting?.()) worker.wake();
    // Before the question: what is written meanwhile may not be in its answer.
    const [now, found] = [world.now(), { revision: revision(), workers: started.length }];
    const isSame = found.revision === seen.revision && found.workers === seen.workers;
    if (started.length === 0 || (isSame && now.getTime() < nextMs)) return;
    const dues = started.map(({ job }) => job.due);
    const times = await database.readEach((tx) => timesOf(tx, dues, now));
    seen = found;
    nextMs = Math.min(...times);
    for (const [at, one] of started.entries()) {
      const isDue = (times[at] ?? Number.POSITIVE_INFINITY) <= now.getTime();
      if (isDue || one.isDue) one.worker.wake();
      one.isDue = isDue;
    }
  }

  const job = { name: 'lookout', napMs: lookMs, work: () => look().then(() => false) };
  const looking = createWorker({ world, log }, job);
  return {
    workers: roles.map((role) => [role, looking] as const),
    /** A worker that naps until it is woken. */
    worker(job: DueJob): Worker {
      const worker = createWorker({ world, log }, { ...job, napMs: slowMs, pauseMs: job.pauseMs ?? job.napMs });
      const watched: Watched = { worker, job, isStarted: false, isDue: false };
      all.push(watched);
      return {
        ...worker,
        start() {
          watched.isStarted = true;
          worker.start();
        },
      };
    },
  };
}

export type Lookout = ReturnType<typeof createLookout>;

/** @returns the time of each, in milliseconds; infinite where nothing waits */
async function timesOf(tx: Transaction, dues: readonly Due[], now: Date): Promise<readonly number[]> {
  const params: Value[] = [];
  const bind: Bind = (value) => `$${params.push(value)}`;
  const times = dues.map((due) => `extract(epoch from ${due(bind, now)})::float8 * 1000`);
  const [row] = await tx.query<{ times: (number | null)[] }>(`select array[${times.join(', ')}] as times`, params);
  return row ? row.times.map((time) => time ?? Number.POSITIVE_INFINITY) : [];
}
