import { pathToFileURL } from 'node:url';
import Tinypool from 'tinypool';
import { Refusal } from '../../../contracts/errors.js';
import { builtFile } from '../../base/built-file.js';
import { createQueue, type QueueLimits, type Task } from '../../domain/queue.js';
import type { Jobs } from './jobs.js';

interface ThreadOptions extends Omit<QueueLimits, 'atOnce'> {
  /** The compiled file that does the jobs. Tests have another one. */
  readonly file?: string;
  /** The number of tasks that run at the same time. */
  readonly threads: number;
  /** The time after its last task at which a thread ends and frees its memory; 30 s. */
  readonly idleMs?: number;
  /** The time limit of one task, including the start of its thread. After it the thread is ended. */
  readonly deadlineMs: number;
  /** The limit of each thread's JavaScript heap. A thread that needs more ends, and the process continues. */
  readonly heapMb?: number;
}

/** Name → a function of one value that can be cloned. */
type Named = Readonly<Record<string, (input: never) => unknown>>;

export type Input<All extends Named, J extends keyof All> = Parameters<All[J]>[0];
export type Output<All extends Named, J extends keyof All> = Awaited<ReturnType<All[J]>>;

export interface Threads<All extends Named = Jobs> {
  /**
   * Does one job in a thread, the work of several owners alternately. An error of the job is thrown as an Error without its
   * class, so a job that refuses must return a value that says so.
   * @throws Refusal rate_limited when too much waits, not_ready when a thread cannot start, dies or takes too long
   */
  run<J extends keyof All>(task: Task, job: J, input: Input<All, J>): Promise<Output<All, J>>;
  /** Ends the threads. Running tasks are refused with not_ready. */
  close(): Promise<void>;
}

/**
 * Threads for tasks that would block the main thread. A failure of a thread never ends the process: if a thread cannot
 * start (no file descriptor or memory is left), the tasks that wait at that moment are refused; if it ends during a task,
 * or does not finish it, only this task is refused. The next task gets a new thread.
 */
export function openThreads<All extends Named = Jobs>(options: ThreadOptions): Threads<All> {
  const { file = builtFile('adapters/threads/thread.js'), threads, idleMs = 30_000, deadlineMs, heapMb } = options;
  const pool = new Tinypool({
    filename: pathToFileURL(file).href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: idleMs,
    ...(heapMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: heapMb } }),
  });
  // A thread that fails before it has taken its task leaves the task in the pool's queue, where it would wait forever.
  // The pool does not say which task that was, so everything that waits at that moment is refused. Without this listener
  // the event would end the process.
  pool.on('error', () => pool.cancelPendingTasks());
  const queue = createQueue({ ...options, atOnce: threads });
  const running = new Set<AbortController>();
  let closed = false;
  async function work<J extends keyof All>(job: J, input: Input<All, J>): Promise<Output<All, J>> {
    if (closed) throw threadFailed(new Error('the threads are closed'));
    // A task is aborted only while it runs, because the pool throws when it has cancelled the task before.
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(), deadlineMs);
    running.add(end);
    try {
      return await pool.run({ job, input }, { signal: end.signal });
    } catch (error) {
      throw isOfThread(error) ? threadFailed(error) : error;
    } finally {
      clearTimeout(timer);
      running.delete(end);
    }
  }
  return {
    run: (task, job, input) => queue(task, () => work(job, input)),
    close() {
      closed = true;
      // Running tasks are aborted first, because the pool would wait forever for a thread that has ended by itself.
      for (const end of running) end.abort();
      return pool.destroy();
    },
  };
}

/** @param cause is written to the log with the id of the request */
const threadFailed = (cause: unknown) =>
  new Refusal(
    'not_ready',
    'This could not be worked on now, because a thread failed or took too long. Retry.',
    { retry_after_seconds: 5 },
    { cause },
  );

/** Whether the thread failed and not the task. The pool has no error class for this. */
function isOfThread(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  const code = 'code' in error ? String(error.code) : '';
  return (
    /^(ERR_WORKER_|EMFILE|ENFILE|ENOMEM|EAGAIN)/.test(code) ||
    ['AbortError', 'CancelError'].includes(error.name) ||
    error.message === 'Terminating worker thread'
  );
}

interface Here<In, Found> {
  sizeOf(input: In): number;
  /** Work of up to this size is done on the main thread: no other request is answered meanwhile. */
  readonly small: number;
  /** @returns null when the work turned out to be larger than its size said: then a thread does it */
  here(input: In): Found | null;
}

/**
 * Work that is done immediately while it is small, and otherwise in a thread, which the first large piece starts.
 * @returns a function of the owner whose work it is (see `Task`) and of the input
 * @throws Refusal rate_limited, not_ready, as `Threads.run` does
 */
export function hereOrThread<J extends keyof Jobs, Found>(
  threads: Threads,
  job: J,
  { sizeOf, small, here }: Here<Input<Jobs, J>, Found>,
): (owner: string, input: Input<Jobs, J>) => Promise<Found | Output<Jobs, J>> {
  return async (owner, input): Promise<Found | Output<Jobs, J>> => {
    const bytes = sizeOf(input);
    const found = bytes <= small ? here(input) : null;
    return found === null ? threads.run({ owner, bytes }, job, input) : found;
  };
}
