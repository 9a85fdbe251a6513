import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import type { Value } from './database.js';
import { FsyncingNodeFS, syncTree } from './fsync.js';
import { parsers } from './values.js';

/** What the main thread asks for, one at a time and in order. `begin` opens a transaction before the statement. */
export interface Request {
  readonly id: number;
  readonly begin: boolean;
  readonly sql: string;
  readonly params: readonly Value[];
}

/** `R` is what the asker knows of its rows; nobody else does. */
export type Reply<R> =
  | { readonly id: number; readonly rows: R[] }
  | { readonly id: number; readonly message: string; readonly code: string | undefined };

/**
 * PGlite's own parameters without `-F`, which turns fsync off, and with what an embedded store wants: old WAL is removed
 * and not kept for reuse, because it holds the content of memories that were deleted since.
 */
const startParams = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  ...['wal_sync_method=fsync', 'fsync=on', 'full_page_writes=on', 'synchronous_commit=on', 'wal_recycle=off'],
].flatMap((param) => (param.includes('=') && !PGlite.defaultStartParams.includes(param) ? ['-c', param] : [param]));

const tuning = ['shared_buffers=128MB', 'work_mem=32MB', 'max_wal_size=256MB', 'min_wal_size=32MB', 'jit=off'];

async function open(dataDir: string, fresh: boolean): Promise<PGlite> {
  const fs = new FsyncingNodeFS(dataDir);
  const db = await PGlite.create({
    fs,
    extensions: { vector },
    parsers: { ...parsers },
    startParams: [...startParams, ...tuning.flatMap((setting) => ['-c', setting])],
  });
  // What initdb wrote is only in the page cache: a power cut now would leave a directory that does not open.
  if (fresh) syncTree(dataDir);
  const before = fs.count();
  await db.exec(
    'create table if not exists durability (at timestamptz); delete from durability; insert into durability values (now())',
  );
  // The remedy leans on parts of PGlite that are nobody's promise. Without it an acknowledged write is lost with the power.
  if (fs.count() === before) {
    throw new Error(
      'the embedded database does not write through to the disk with this version of PGlite, so nothing would be safe in it',
    );
  }
  return db;
}

const { dataDir, fresh }: { dataDir: string; fresh: boolean } = workerData;
const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread');

const db = await open(dataDir, fresh);
let last: Promise<void> = Promise.resolve();

async function answer({ id, begin, sql, params }: Request): Promise<Reply<unknown>> {
  try {
    if (begin) await db.query('begin');
    const { rows } = await db.query(sql, [...params]);
    return { id, rows };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    return { id, message: error instanceof Error ? error.message : String(error), code };
  }
}

port.on('message', (request: Request | 'close') => {
  last = last.then(async () => {
    if (request === 'close') {
      await db.close();
      port.close();
    } else {
      port.postMessage(await answer(request));
    }
  });
});
port.postMessage('open');
