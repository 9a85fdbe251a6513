import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';

export const benchKey = 'ak_bench0000000000000000000000000000';

/** The service as a process of its own, as a user runs it. */
export interface BenchService {
  readonly origin: string;
  readonly process: ChildProcess;
  readonly startMs: number;
  /** The headers of its requests. */
  readonly key: string;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<{ status: number; json: unknown }>;
  get(path: string): Promise<{ status: number; json: unknown }>;
  stop(): Promise<void>;
}

export function temporaryDirectory(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** @param program of another build than this one */
export async function startService(
  dataDir: string,
  port: number,
  env: Readonly<Record<string, string>> = {},
  program = join(packageRoot, 'dist/src/cli/main.js'),
): Promise<BenchService> {
  const from = performance.now();
  const child = spawn(process.execPath, [program, 'serve'], {
    // Of the caller's settings only what is requested: a DATABASE_URL would put every conversation into one store.
    env: {
      PATH: process.env.PATH ?? '',
      DATA_DIR: dataDir,
      PORT: String(port),
      BOOTSTRAP_API_KEY: benchKey,
      LOG_LEVEL: 'error',
      RATE_LIMITS: 'off',
      OTS_CALENDARS: 'off',
      BASE_URL: `http://127.0.0.1:${port}`,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const origin = `http://127.0.0.1:${port}`;
  const key = env.BOOTSTRAP_API_KEY ?? benchKey;
  const headers = { authorization: `Bearer ${key}` };
  let said = '';
  child.stderr.on('data', (data) => {
    said = `${said}${data}`.slice(-2000);
  });
  await untilReady(origin, child).catch((error: Error) => {
    throw new Error(`${error.message}\n${said}`);
  });
  const ask = async (path: string, init: RequestInit) => {
    const response = await fetch(`${origin}${path}`, init);
    return { status: response.status, json: await response.json() };
  };
  return {
    origin,
    process: child,
    startMs: performance.now() - from,
    key,
    post: (path, body, more = {}) =>
      ask(path, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) }),
    get: (path) => ask(path, { headers }),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

/** The first start of a version on a large store builds read models. */
async function untilReady(origin: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 12_000; tries += 1) {
    if (child.exitCode !== null) throw new Error(`the service stopped with code ${child.exitCode}`);
    const ready = await fetch(`${origin}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the service does not become ready');
}

/** Runs `work` over the items with `clients` of them in progress at once, showing how far it is. */
export async function withClients<T>(
  clients: number,
  items: readonly T[],
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const client = async () => {
    while (next < items.length) {
      const index = next;
      next += 1;
      const item = items[index];
      if (item !== undefined) await work(item, index);
      if (process.stderr.isTTY && index % 100 === 0) process.stderr.write(`\r${index}/${items.length} `);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  if (process.stderr.isTTY) process.stderr.write('\r                    \r');
}

/** Waits until the ingest pipeline has nothing left to do. */
export async function untilSettled(service: Pick<BenchService, 'get'>): Promise<void> {
  for (;;) {
    const { json } = await service.get('/v1/ingest?stage=queued,extracting,chunking,embedding,indexing&limit=1');
    const open =
      typeof json === 'object' && json !== null && 'data' in json && Array.isArray(json.data) ? json.data : [];
    if (open.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
