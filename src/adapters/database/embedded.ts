import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { builtFile } from '../../package-root.js';
import { makePrivateDirectory, tightenTree } from '../private-directory.js';
import type { Database } from './database.js';
import { lockDirectory } from './directory-lock.js';
import { poolDatabase } from './pool.js';
import { placeTemplate } from './template.js';
import { parserOf } from './values.js';
import { workerStream } from './worker-stream.js';

/**
 * PGlite in a worker thread of its own: on the main thread its queries let no timer and no request run.
 * The same client speaks to it as to a server, over messages instead of a socket, so values and errors are the same.
 * PGlite is one connection, so transactions wait for each other in the order in which they were asked for.
 * @throws DirectoryInUse when another process has the directory open
 * @throws UnusableDirectory when the directory cannot hold a store
 */
export async function openEmbedded(dataDir: string): Promise<Database> {
  // For this process and all its threads: the database engine asks for files that everybody may read and write.
  process.umask(0o077);
  makePrivateDirectory(dataDir);
  const lock = await lockDirectory(dataDir);
  const directory = join(dataDir, 'pgdata');
  try {
    // An earlier version, or whoever has copied the directory, may have left it open to others.
    tightenTree(dataDir);
    if (!existsSync(directory)) placeTemplate(directory);
    const worker = await startWorker(directory);
    const pool = new pg.Pool({
      max: 1,
      idleTimeoutMillis: 0,
      pipeline: true,
      stream: () => workerStream(worker),
      types: { getTypeParser: parserOf },
    });
    return poolDatabase(pool, async () => {
      await stopWorker(worker);
      lock.release();
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}

function startWorker(directory: string): Promise<Worker> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(builtFile('adapters/database/embedded-worker.js'), {
      workerData: { dataDir: directory },
    });
    worker.once('message', () => resolve(worker));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the embedded database stopped with code ${code} while it opened`)));
  });
}

/** Everything that was asked for is answered first: the worker takes its messages in order. */
function stopWorker(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.once('exit', () => resolve());
    worker.postMessage('close');
  });
}
