import { pathToFileURL } from 'node:url';
import Tinypool from 'tinypool';
import { Refusal } from '../../contracts/errors.js';
import { createQueue } from '../domain/queue.js';

export interface ThreadOptions {
  /** A compiled file (see builtFile) whose default export is the work: a function of one value that can be cloned. */
  readonly file: string;
  /** Pieces of work that are done at the same time. */
  readonly threads: number;
  /** Bytes of all work that is done or waits; more is refused with rate_limited. */
  readonly heldBytes: number;
  /** How long a thread and its memory outlive the last piece of work. */
  readonly idleMs: number;
  /** How long one piece of work may take, the start of its thread included. Then its thread is ended. */
  readonly deadlineMs: number;
  /** Of the heap of JavaScript of each thread. One that needs more ends, and the process goes on. */
  readonly heapMb?: number;
}

export interface Threads<Input, Output> {
  /**
   * Does one piece of work in a thread. What the work itself throws comes back as an Error without its class, so work
   * that refuses returns a value that says so.
   * @throws Refusal rate_limited when too much waits, not_ready when a thread cannot start, dies or takes too long
   */
  run(bytes: number, input: Input): Promise<Output>;
  /** Ends the threads. Work that is under way is refused with not_ready. */
  close(): Promise<void>;
}

/**
 * Threads for work that would hold up the main thread. Nothing that happens to a thread ends the process: a start that
 * fails (no file descriptor or no memory left), an end in the middle of the work, or work that never ends refuses that
 * one piece of work, and the next piece gets a fresh thread.
 */
export function openThreads<Input, Output>(options: ThreadOptions): Threads<Input, Output> {
  const { file, threads, heldBytes, idleMs, deadlineMs, heapMb } = options;
  const pool = new Tinypool({
    filename: pathToFileURL(file).href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: idleMs,
    ...(heapMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: heapMb } }),
  });
  // A thread that fails before it has taken its work leaves that work in the pool's queue, where it would wait for ever.
  // Without this listener the event would end the process.
  pool.on('error', () => pool.cancelPendingTasks());
  const queue = createQueue({ atOnce: threads, heldBytes });
  const underWay = new Set<AbortController>();
  let closed = false;
  const work = async (input: Input): Promise<Output> => {
    if (closed) throw threadFailed(new Error('the threads are closed'));
    // Aborted only while the work is under way: the pool throws when work is aborted that it has cancelled before.
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(), deadlineMs);
    underWay.add(end);
    try {
      return await pool.run(input, { signal: end.signal });
    } catch (error) {
      throw isOfThread(error) ? threadFailed(error) : error;
    } finally {
      clearTimeout(timer);
      underWay.delete(end);
    }
  };
  return {
    run: (bytes, input) => queue(bytes, () => work(input)),
    close() {
      closed = true;
      // First what is under way: the pool would wait for ever for the end of a thread that has ended by itself.
      for (const end of underWay) end.abort();
      return pool.destroy();
    },
  };
}

/** @param cause is for the log, with the id of the request */
const threadFailed = (cause: unknown) =>
  new Refusal(
    'not_ready',
    'This could not be worked on now, because a thread failed or took too long. Retry.',
    { retry_after_seconds: 5 },
    { cause },
  );

/** Whether it was the thread that failed, and not the work in it: the pool has no class for this. */
function isOfThread(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  const code = 'code' in error ? String(error.code) : '';
  return (
    /^(ERR_WORKER_|EMFILE|ENFILE|ENOMEM|EAGAIN)/.test(code) ||
    ['AbortError', 'CancelError'].includes(error.name) ||
    error.message === 'Terminating worker thread'
  );
}
