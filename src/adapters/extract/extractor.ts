import { type ChildProcess, fork } from 'node:child_process';
import { setPriority, tmpdir } from 'node:os';
import { Refusal } from '../../../contracts/errors.js';
import { createQueue, type QueueLimits } from '../../domain/queue.js';
import { builtFile } from '../../package-root.js';
import type { Document, Reading } from './messages.js';

export interface Bounds extends QueueLimits {
  readonly timeoutMs: number;
  /** Of the heap of JavaScript. A process that needs more ends itself. */
  readonly heapMb: number;
  /** Of everything that the process holds, buffers outside the heap included. One that holds more is killed. */
  readonly memoryMb: number;
}

/** How much longer a process that lost its service goes on. */
const orphanMs = 5000;

/** Measured: a PDF needs 80 MB at rest, and one of 5 MB and a thousand pages 141. */
export const defaultBounds: Bounds = {
  atOnce: 2,
  heldBytes: 64 * 1024 * 1024,
  timeoutMs: 20_000,
  heapMb: 256,
  memoryMb: 448,
};

export interface Extractor {
  /** The text of a document, or why there is none. @throws Refusal rate_limited, when too many documents wait already; not_ready, when no process starts */
  read(document: Document): Promise<Reading>;
  /** Stops what is being read. */
  close(): Promise<void>;
}

/**
 * Documents are read one to a process. A worker thread would be cheaper, but one that runs out of heap within a single
 * allocation takes the whole process with it (V8 aborts), whatever resourceLimits say.
 */
export function openExtractor(bounds: Bounds = defaultBounds): Extractor {
  const running = new Set<ChildProcess>();
  const queue = createQueue(bounds);
  return {
    read: (document) => queue(document.bytes.length, () => readInProcess(document, bounds, running)),
    async close() {
      for (const child of running) child.kill('SIGKILL');
    },
  };
}

function readInProcess(document: Document, bounds: Bounds, running: Set<ChildProcess>): Promise<Reading> {
  const child = fork(
    builtFile('adapters/extract/process.js'),
    [String(bounds.memoryMb), String(bounds.timeoutMs + orphanMs)],
    {
      serialization: 'advanced',
      // Nothing of our environment: it holds passwords of databases.
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
    }, bounds.timeoutMs);
    child.once('message', (reading: Reading) => resolve(reading));
    // No process could be started, or it went away before it was sent its document: no file or no memory is left.
    child.on('error', () => {
      clearTimeout(timer);
      running.delete(child);
      reject(new Refusal('not_ready', 'No process could be started to read this document. Retry.'));
    });
    // An answer comes before the end; without one, what ended it is the answer.
    child.once('close', (_code, signal) => {
      clearTimeout(timer);
      running.delete(child);
      const memory = signal === null ? 'it cannot be read' : 'reading it takes too much memory';
      resolve({ kind: 'unreadable', reason: late ? 'reading it takes too long' : memory });
    });
    child.send(document);
    lowerPriority(child);
  });
}

/** Whoever writes and searches goes first. */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, 10);
  } catch {
    // It has ended already, or this system has no such thing.
  }
}
