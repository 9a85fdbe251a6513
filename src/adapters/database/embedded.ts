import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { packageRoot } from '../../package-root.js';
import type { Database, Row, Transaction, Value } from './database.js';
import { lockDirectory } from './directory-lock.js';
import type { Reply, Request } from './embedded-worker.js';

/** A statement that PostgreSQL refused, with its SQLSTATE. */
export class StatementError extends Error {
  override name = 'StatementError';
  constructor(
    message: string,
    readonly code: string | undefined,
  ) {
    super(message);
  }
}

/**
 * PGlite in a worker thread of its own: on the main thread its queries let no timer and no request run.
 * PGlite is one connection, so transactions wait for each other in the order in which they were asked for.
 */
export async function openEmbedded(dataDir: string): Promise<Database> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockDirectory(dataDir);
  const directory = join(dataDir, 'pgdata');
  const fresh = !existsSync(join(directory, 'PG_VERSION'));
  try {
    const worker = await startWorker(directory, fresh);
    return database(worker, lock.release);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Worker threads run JavaScript only, so tests that run from the sources use the worker of the last build. */
function workerFile(): string {
  const beside = fileURLToPath(new URL('./embedded-worker.js', import.meta.url));
  return existsSync(beside) ? beside : join(packageRoot, 'dist/src/adapters/database/embedded-worker.js');
}

function startWorker(directory: string, fresh: boolean): Promise<Worker> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile(), { workerData: { dataDir: directory, fresh } });
    worker.once('message', () => resolve(worker));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the embedded database stopped with code ${code} while it opened`)));
  });
}

/** What is called when the reply to a request has come, or will never come. */
type Settle = (reply: Reply<never> | Error) => void;

function database(worker: Worker, release: () => Promise<void>): Database {
  const pending = new Map<number, Settle>();
  let nextId = 0;
  let dead: Error | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let closing: Promise<void> | undefined;

  worker.on('message', (reply: Reply<never>) => {
    const settle = pending.get(reply.id);
    pending.delete(reply.id);
    settle?.(reply);
  });
  const die = (error: Error) => {
    dead ??= error;
    for (const settle of pending.values()) settle(dead);
    pending.clear();
  };
  worker.on('error', die);
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  void ended.then(() => die(new Error('the embedded database is closed')));

  const send: Send = <R>(sql: string, params: readonly Value[], begin: boolean) =>
    new Promise<R[]>((resolve, reject) => {
      if (dead) return reject(dead);
      nextId += 1;
      pending.set(nextId, (reply) => {
        if (reply instanceof Error) reject(reply);
        else if ('rows' in reply) resolve(reply.rows);
        else reject(new StatementError(reply.message, reply.code));
      });
      worker.postMessage({ id: nextId, begin, sql, params } satisfies Request);
    });

  /** Runs `work` when everything that was asked for before it is over. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (closing) return Promise.reject(new Error('the embedded database is closed'));
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  }

  return {
    transaction: (work) => inTurn(() => transaction(send, work)),
    maintain: (sql) => inTurn(async () => void (await send(sql, [], false))),
    close() {
      closing ??= turn.then(async () => {
        worker.postMessage('close');
        await ended;
        await release();
      });
      return closing;
    },
  };
}

type Send = <R>(sql: string, params: readonly Value[], begin: boolean) => Promise<R[]>;

async function transaction<T>(send: Send, work: (tx: Transaction) => Promise<T>): Promise<T> {
  // The transaction is opened together with its first statement: that is one message less for each.
  let begun = false;
  const tx: Transaction = {
    query<R extends Row>(sql: string, params: readonly Value[] = []) {
      const begin = !begun;
      begun = true;
      return send<R>(sql, params, begin);
    },
  };
  try {
    const result = await work(tx);
    if (begun) await send('commit', [], false);
    return result;
  } catch (error) {
    // Harmless when it is the commit that failed or the worker that died: there is nothing left to roll back.
    if (begun) await send('rollback', [], false).catch(() => undefined);
    throw error;
  }
}
