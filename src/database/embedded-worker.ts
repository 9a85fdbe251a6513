import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { FsyncingNodeFS } from './fsync.js';
import type { Failed } from './worker-stream.js';

/**
 * PGlite's own parameters without `-F`, which disables fsync, and with the settings of an embedded store. Old WAL is
 * removed and not recycled, because it contains the content of memories that have been deleted since.
 */
const startParams = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  'wal_sync_method=fsync',
  'fsync=on',
  'full_page_writes=on',
  'synchronous_commit=on',
  'wal_recycle=off',
].flatMap((param) => (param.includes('=') && !PGlite.defaultStartParams.includes(param) ? ['-c', param] : [param]));

const tuning = [
  'shared_buffers=128MB',
  'work_mem=32MB',
  'max_wal_size=256MB',
  'min_wal_size=32MB',
  'jit=off',
  'timezone=UTC',
  // Plans are cached (planning takes up to 6 ms here), and nothing runs ANALYZE automatically. A plan that was made
  // while a table was small must not scan the whole table later.
  'enable_seqscan=off',
  'random_page_cost=1.1',
  // A sample of 3,000 rows instead of 30,000: all requests wait for an ANALYZE, which took 0.6 s with 200,000 vectors.
  'default_statistics_target=10',
  // A vacuum reads only pages that have changed.
  'vacuum_max_eager_freeze_failure_rate=0',
];

const { dataDir }: { dataDir: string } = workerData;
const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread');

/**
 * Ends this thread immediately. Pending requests get no answer, so nothing uncertain is acknowledged. The main thread
 * opens the store again, and the engine recovers from the data on the disk.
 */
function fail(error: unknown): never {
  const failed: Failed = { failed: error instanceof Error ? error.message : String(error) };
  port?.postMessage(failed);
  process.exit(1);
}

/**
 * PGlite treats every exception of the engine as a failed statement and continues, even after an abort or an exit of
 * the engine, and then all later requests wait forever. This function passes on only the exception that means a failed
 * statement.
 */
function failOnUnknownExceptions({ Module: engine }: PGlite): void {
  const once = engine._PostgresMainLoopOnce;
  engine._PostgresMainLoopOnce = () => {
    try {
      once();
    } catch (error) {
      if (isErrorOfStatement(error)) throw error;
      fail(error);
    }
  };
}

/** PGlite's POSTGRES_MAIN_LONGJMP. */
const errorOfStatement = 100;

const isErrorOfStatement = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'status' in error && error.status === errorOfStatement;

async function open(directory: string): Promise<PGlite> {
  const fs = new FsyncingNodeFS(directory, fail);
  const db = await PGlite.create({
    fs,
    extensions: { vector },
    startParams: [...startParams, ...tuning.flatMap((setting) => ['-c', setting])],
  });
  const before = fs.count();
  await db.exec(
    'create table if not exists durability (at timestamptz); delete from durability; insert into durability values (now())',
  );
  // Our fsync depends on parts of PGlite that are not documented. Without it, acknowledged writes are lost when the
  // power fails.
  if (fs.count() === before) {
    throw new Error(
      'the embedded database does not write through to the disk with this version of PGlite, so nothing would be safe in it',
    );
  }
  return db;
}

const db = await open(dataDir);
failOnUnknownExceptions(db);
let last: Promise<void> = Promise.resolve();

// Messages of the PostgreSQL protocol arrive here, and the answers of the database are sent in the same order.
port.on('message', (message: Uint8Array | 'close') => {
  last = last
    .then(async () => {
      if (message === 'close') {
        await db.close();
        port.close();
      } else {
        port.postMessage(await answer(message));
      }
    })
    .catch(fail);
});

/** Other query functions of PGlite keep each parsed answer until their next query, which never comes here. */
async function answer(message: Uint8Array): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  // The part is a view of the database's memory, which the next part overwrites.
  await db.execProtocolRawStream(message, { onRawData: (part) => parts.push(part.slice()) });
  const [first] = parts;
  return first && parts.length === 1 ? first : Buffer.concat(parts);
}

port.postMessage('open');
