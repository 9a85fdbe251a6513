import { type ChildProcess, fork } from 'node:child_process';
import { setPriority, tmpdir } from 'node:os';
import { Refusal } from '../../../contracts/errors.js';
import { builtFile } from '../../base/built-file.js';
import { createQueue, type QueueLimits } from '../../domain/queue.js';
import type { Document, Reading } from './messages.js';

export interface Bounds extends QueueLimits {
  /**
   * The processor time of a document. Reading has a low priority, so on a busy machine a document that could be read takes much longer by
   * the clock.
   */
  readonly cpuMs: number;
  /** The limit by the clock, for a machine on which the process gets no processor time. */
  readonly wallMs: number;
  /** The limit of the JavaScript heap. A process that needs more ends by itself. */
  readonly heapMb: number;
  /** The limit of all memory of the process, including buffers outside the heap. A process that exceeds it is killed. */
  readonly memoryMb: number;
}

/** The time that a process without its service may run beyond its limit. */
const orphanMs = 5000;

/** Measured: a small PDF needs 80 MB, and one of 5 MB with a thousand pages needs 141 MB. */
export const defaultBounds: Bounds = {
  atOnce: 2,
  heldBytes: 64 * 1024 * 1024,
  // A document takes up to 20 s, so one owner leaves a process free for other owners.
  own: { atOnce: 1 },
  // Books of several owners leave a process free for small documents, most of which take less than a second.
  large: { bytes: 256 * 1024, atOnce: 1 },
  cpuMs: 20_000,
  wallMs: 120_000,
  heapMb: 256,
  memoryMb: 448,
};

export interface Extractor {
  /**
   * Returns the text of a document, or why there is none. @throws Refusal rate_limited when too many documents wait
   * already; not_ready when no process can be started
   * @param owner whose work it is: see `Task`
   */
  read(document: Document, owner: string): Promise<Reading>;
  /** Stops the processes that are reading. The documents that wait are refused with not_ready. */
  close(): Promise<void>;
}

/**
 * Every document is read in its own process. A worker thread would be cheaper, but if it runs out of heap in a single
 * allocation, V8 aborts the whole process in spite of resourceLimits.
 */
export function openExtractor(bounds: Bounds = defaultBounds): Extractor {
  const running = new Set<ChildProcess>();
  const queue = createQueue(bounds);
  let closed = false;
  return {
    read: (document, owner) =>
      queue({ owner, bytes: document.bytes.length }, async () => {
        if (closed) throw new Refusal('not_ready', 'The service is stopping. Retry.');
        return readInProcess(document, bounds, running);
      }),
    async close() {
      closed = true;
      for (const child of running) child.kill('SIGKILL');
    },
  };
}

function readInProcess(document: Document, bounds: Bounds, running: Set<ChildProcess>): Promise<Reading> {
  const child = fork(
    builtFile('adapters/extract/process.js'),
    [bounds.memoryMb, bounds.cpuMs, bounds.wallMs + orphanMs].map(String),
    {
      serialization: 'advanced',
      // The environment is not inherited, because it contains passwords of databases.
      env: {},
      cwd: tmpdir(),
      execArgv: [`--max-old-space-size=${bounds.heapMb}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    },
  );
  running.add(child);
  return new Promise<Reading>((resolve, reject) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, bounds.wallMs);
    child.once('message', (reading: Reading) => resolve(reading));
    // The process could not be started, or ended before it got the document, because no file descriptor or memory is left.
    child.on('error', () => {
      clearTimeout(timer);
      running.delete(child);
      reject(new Refusal('not_ready', 'No process could be started to read this document. Retry.'));
    });
    // An answer arrives before the end of the process. If there was none, the cause of the end is the result.
    child.once('close', (_code, signal) => {
      clearTimeout(timer);
      running.delete(child);
      const memory = signal === null ? 'it cannot be read' : 'reading it takes too much memory';
      const isLate = late || signal === 'SIGXCPU';
      resolve({ kind: 'unreadable', reason: isLate ? 'reading it takes too long' : memory });
    });
    child.send(document);
    lowerPriority(child);
  });
}

/** Gives writes and searches priority over the reading of documents. */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, 10);
  } catch {
    // The process has ended already, or the system has no priorities.
  }
}
