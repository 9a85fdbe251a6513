import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { builtFile } from '../../package-root.js';
import type { Database } from './database.js';
import { poolDatabase } from './pool.js';
import { parserOf } from './values.js';
import { type Failed, workerStream } from './worker-stream.js';

/** Recovering 256 MB of write-ahead log, the most there is, takes seconds; what takes longer has come to a stop. */
const openMs = 300_000;

/** One life of the embedded database: from the opening of its files to its first failure, after which it does nothing more. */
export interface Engine {
  readonly database: Database;
  /** Why it is of no more use. */
  failure(): Error | undefined;
  /** Resolves when it has failed and its thread is gone, so that nothing of it touches the files any more. */
  readonly dead: Promise<void>;
  /** Answers what was asked for, then ends. */
  stop(): Promise<void>;
}

/**
 * PGlite in a worker thread of its own: on the main thread its queries let no timer and no request run.
 * The same client speaks to it as to a server, over messages instead of a socket, so values and errors are the same.
 * PGlite is one connection, so transactions wait for each other in the order in which they were asked for.
 */
export async function openEngine(directory: string): Promise<Engine> {
  const worker = new Worker(builtFile('adapters/database/embedded-worker.js'), { workerData: { dataDir: directory } });
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

  const pool = new pg.Pool({
    max: 1,
    idleTimeoutMillis: 0,
    pipeline: true,
    stream: () => workerStream(worker, () => failure),
    types: { getTypeParser: parserOf },
  });
  // There is one session behind all connections, with the statements that the first one has prepared: a second would clash
  // with them, and a transaction that could not be ended would go on in it.
  pool.on('remove', () => fail(new Error('its connection broke')));
  const database = poolDatabase(pool);
  return {
    database,
    failure: () => failure,
    dead: exited,
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

/** @throws when the engine fails, or is not through within the time that any recovery takes */
async function opened(worker: Worker, failure: () => Error | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      void worker.terminate();
      reject(new Error('the embedded database does not come up'));
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
