import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { builtFile } from '../base/built-file.js';
import type { Database, PoolLoad } from './database.js';
import { loadOf, poolDatabase } from './pool.js';
import { parserOf } from './values.js';
import { type Failed, workerStream } from './worker-stream.js';

/** Recovering 256 MB of write-ahead log, the maximum, takes seconds. An engine that takes longer than this hangs. */
const openMs = 300_000;

/**
 * One instance of the embedded database: from the opening of its files to its first failure. After a failure it is not used.
 */
export interface Engine {
  readonly database: Database;
  load(): PoolLoad;
  /** The error after which the engine cannot be used any more. */
  failure(): Error | undefined;
  /** Resolves when the engine has failed and its thread has ended, so that it does not access the files any more. */
  readonly dead: Promise<void>;
  /** Ends at once and writes nothing more, as if it had failed. */
  discard(reason: Error): void;
  /** Answers pending requests, then ends. */
  stop(): Promise<void>;
}

/**
 * How V8 compiles the database: a function when it is first called, and once more with optimization when it has run for long. The defaults of
 * Node 20 compile 25,000 functions at each start, and optimize hundreds that only the start uses: 1 s of processor time. After 3,000 writes
 * and 200 searches the same ones are optimized, and all of it has taken less time than with the defaults.
 */
const compiling = ['--wasm-lazy-compilation', '--wasm-tiering-budget=100000000'];

/**
 * Opens PGlite in a worker thread, because on the main thread its queries would block timers and requests. The
 * PostgreSQL client talks to it through messages instead of a socket, so values and errors are the same as with a
 * server. PGlite is one connection, so transactions run one after the other.
 */
export async function openEngine(directory: string): Promise<Engine> {
  for (const option of compiling) setFlagsFromString(option);
  const worker = new Worker(builtFile('database/embedded-worker.js'), { workerData: { dataDir: directory } });
  let failure: Error | undefined;
  let stopping = false;
  const fail = (error: Error) => {
    if (stopping) return;
    failure ??= error;
    void worker.terminate();
  };
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.on('message', (message: Uint8Array | 'open' | Failed) => {
    if (typeof message === 'object' && 'failed' in message) fail(new Error(message.failed));
  });
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`its thread ended with code ${code}`)));
  await opened(worker, () => failure);

  let messages = 0;
  const pool = new pg.Pool({
    max: 1,
    idleTimeoutMillis: 0,
    pipeline: true,
    stream: () =>
      workerStream(
        worker,
        () => failure,
        () => {
          messages += 1;
        },
      ),
    types: { getTypeParser: parserOf },
  });
  // All connections would share one session. A second connection would conflict with the prepared statements of the
  // first one, and would continue a transaction that could not be ended.
  pool.on('remove', () => fail(new Error('its connection broke')));
  const database = poolDatabase(pool);
  return {
    database,
    load: () => loadOf('requests', pool, database, messages),
    failure: () => failure,
    dead: exited,
    discard: fail,
    async stop() {
      stopping = true;
      if (failure === undefined) {
        await database.close();
        worker.postMessage('close');
      }
      await exited;
    },
  };
}

/** @throws when the engine fails, or has not opened within `openMs` */
async function opened(worker: Worker, failure: () => Error | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      void worker.terminate();
      reject(new Error('the embedded database does not start'));
    }, openMs);
    const settle = (work: () => void) => () => {
      clearTimeout(timer);
      work();
    };
    worker.on('message', (message) => {
      if (message === 'open') settle(resolve)();
    });
    worker.once(
      'exit',
      settle(() => reject(failure() ?? new Error('the embedded database ended while it opened'))),
    );
  });
}
