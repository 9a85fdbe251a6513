import { orLate } from '../base/deadline.js';
import { ClockInDoubt, type World } from '../base/world.js';
import type { Lease } from './lease.js';

/** The work of a worker; the loop below decides when it is done. */
export interface Job {
  /** For the log. */
  readonly name: string;
  /**
   * One step of the work. It must be safe to end the process anywhere in it, and to do it again after an error.
   * @param stopping is aborted when the worker stops: a step that lasts long ends early then
   * @returns whether there is more to do at once
   */
  work(stopping: AbortSignal): Promise<boolean>;
  /** How long the worker waits when there was nothing to do, unless it is woken. */
  readonly napMs: number;
  /** How long it waits before its first step; without it that begins at once. */
  readonly firstMs?: number;
  /** How long it waits after an error; without it as long as for a nap. */
  readonly pauseMs?: number;
  /** How long a stop waits at most for the step in progress. What that step would have done, the next start does. */
  readonly stopMs?: number;
  /** Is given back when the worker stops. `work` takes it when it has found something to do, and each step renews it. */
  readonly lease?: Lease;
  /** Runs once when the worker has stopped after a step that came to its end. */
  ended?(): Promise<void>;
}

export interface Worker {
  readonly name: string;
  /** Whether its last step failed. */
  isFailing(): boolean;
  start(): void;
  /** There may be work now. Nothing happens in a process that does not run this worker. */
  wake(): void;
  /** Resolves when the step in progress has ended, or at the job's bound. */
  stop(): Promise<void>;
}

export interface Surroundings {
  readonly world: Pick<World, 'sleep' | 'doubt'>;
  readonly log: Record<'error' | 'info' | 'warn', (members: object, text: string) => void>;
}

/** @returns a function that wakes several workers at once */
export function wakeAll(workers: readonly Worker[]): () => void {
  return function wake() {
    for (const worker of workers) worker.wake();
  };
}

/** The process ends 9 seconds after it was asked to. */
const stopMs = 8000;

/**
 * A worker that does one job until it is stopped. Nothing runs before `start`. While the clock is in doubt it does nothing:
 * much of what workers remove or end, they do because its time has come.
 */
export function createWorker({ world, log }: Surroundings, job: Job): Worker {
  const { napMs, pauseMs = napMs } = job;
  const stopping = new AbortController();
  const faults = faultsOf(job.name, log);
  let napping = new AbortController();
  let running: Promise<unknown> | undefined;

  async function step(): Promise<'more' | 'nothing' | 'fault'> {
    if (world.doubt() !== null) return 'nothing';
    try {
      const more = await job.work(stopping.signal);
      faults.report(null);
      return more ? 'more' : 'nothing';
    } catch (error) {
      if (error instanceof ClockInDoubt) return 'nothing';
      faults.report(error);
      return 'fault';
    }
  }

  async function run(): Promise<void> {
    if (job.firstMs !== undefined) await world.sleep(job.firstMs, stopping.signal);
    while (!stopping.signal.aborted) {
      napping = new AbortController();
      const outcome = await step();
      if (outcome === 'nothing') await world.sleep(napMs, AbortSignal.any([stopping.signal, napping.signal]));
      // A call of wake() does not make a fault go away.
      if (outcome === 'fault') await world.sleep(pauseMs, stopping.signal);
    }
  }

  return {
    name: job.name,
    isFailing: faults.isThere,
    start() {
      running ??= run();
    },
    wake: () => napping.abort(),
    async stop() {
      stopping.abort();
      if (running === undefined) return;
      const isThrough = await orLate(
        job.stopMs ?? stopMs,
        running.then(() => true),
        false,
      );
      if (isThrough) await job.ended?.();
      else log.warn({ worker: job.name }, 'a worker is stopped in the middle of a step; the next start does it again');
      await job.lease?.drop().catch(() => undefined);
    },
  };
}

/** Logs a fault when it begins, when it becomes another one, and when it has ended. */
function faultsOf(worker: string, log: Surroundings['log']) {
  let last: string | null = null;
  return {
    isThere: () => last !== null,
    report(error: unknown) {
      const fault = error === null ? null : String(error);
      if (fault === last) return;
      last = fault;
      if (fault === null) log.info({ worker }, 'the worker continues');
      else log.error({ worker, err: error }, 'a step of the worker failed; it is tried again');
    },
  };
}
