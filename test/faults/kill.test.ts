// @projects slow
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, test } from 'vitest';
import { dropDatabase, freshDatabase } from '../fresh-database.js';
import { taskReceipt } from '../http/task-receipt.js';
import { repeats } from '../repeats.js';
import { bare, main, start } from './service-process.js';

/** How often the service is killed on each store. A short run shows that nothing is broken; the figure is from a long one. */
const kills = repeats('KILLS');
/** A store is thrown away after this many, or checking what has grown would take all the time. */
const killsPerStore = 10;
const clients = 8;
const key = 'ak_kill00000000000000000000000000000';
const run = promisify(execFile);

/** What was acknowledged. */
interface Acknowledged {
  /** Memory id → its content, or null once its delete was acknowledged. */
  readonly memories: Map<string, string | null>;
  /** Bodies of batches of task receipts. */
  readonly batches: string[];
}

/** Clients that write, delete and search until the service is gone. A request that breaks off tells nothing. */
async function load(origin: string, { memories: seen, batches }: Acknowledged, label: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    return { status: response.status, memoryId: /"memory_id":"([^"]+)"/.exec(text)?.[1] };
  };
  const client = async (name: number) => {
    const own: string[] = [];
    for (let i = 0; i < 10_000; i += 1) {
      const content = `${label} client ${name} memory ${i}`;
      const added = await ask('POST', '/v1/memories', { content, source: label });
      if (added.status === 202 && added.memoryId !== undefined) {
        seen.set(added.memoryId, content);
        own.push(added.memoryId);
      }
      if (i % 5 === 4) await ask('POST', '/v1/memories/search', { query: `client ${name} memory` });
      if (i % 4 === 3) {
        const receipts = Array.from({ length: 5 }, (_, n) => taskReceipt({ receipt_id: `${content} ${n}`, more: n }));
        if ((await ask('POST', '/v1/receipts', { receipts })).status === 201)
          batches.push(JSON.stringify({ receipts }));
      }
      const victim = i % 7 === 6 ? own.shift() : undefined;
      if (victim !== undefined) {
        // Between sending a delete and its answer nobody can know whether the memory is there.
        seen.delete(victim);
        if ((await ask('DELETE', `/v1/memories/${victim}`)).status === 200) seen.set(victim, null);
      }
    }
  };
  await Promise.allSettled(Array.from({ length: clients }, (_, name) => client(name)));
}

async function missing(origin: string, { memories, batches }: Acknowledged): Promise<string[]> {
  const headers = { authorization: `Bearer ${key}` };
  const faults: string[] = [];
  for (const body of batches) {
    const { status } = await fetch(`${origin}/v1/receipts`, { method: 'POST', headers, body });
    if (status !== 200) faults.push(`task receipts are not recorded: ${status} ${body}`);
  }
  for (const [id, content] of memories) {
    const response = await fetch(`${origin}/v1/memories/${id}`, { headers });
    const text = await response.text();
    const right =
      content === null ? response.status === 404 : response.status === 200 && text.includes(JSON.stringify(content));
    if (!right) faults.push(`${id} (${content ?? 'deleted'}): ${response.status}`);
  }
  return faults;
}

async function killRounds(
  rounds: number,
  newStore: () => Promise<{ env: Record<string, string>; strike(): Promise<void>; remove(): Promise<void> }>,
): Promise<void> {
  let store = await newStore();
  let acknowledged = 0;
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0 && round % killsPerStore === 0) {
      await store.remove();
      store = await newStore();
    }
    const env = {
      ...store.env,
      BOOTSTRAP_API_KEY: key,
      PORT: '0',
      LOG_LEVEL: 'error',
      RATE_LIMITS: 'off',
      OTS_CALENDARS: 'off',
    };
    const seen: Acknowledged = { memories: new Map(), batches: [] };
    const service = await start(env);
    const loading = load(service.origin, seen, `round ${round}`);
    await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 1450));
    if (round % 4 === 3) await store.strike();
    await service.kill();
    await loading;
    const again = await start(env);
    expect(await missing(again.origin, seen), `acknowledged before kill ${round + 1}`).toEqual([]);
    const checked = await run(process.execPath, [main, 'fsck'], { env: { ...bare, ...env } });
    expect(checked.stdout).toContain('No fault');
    await again.kill();
    acknowledged += seen.memories.size + 5 * seen.batches.length;
  }
  await store.remove();
  console.log(
    `${rounds} kills, ${acknowledged} acknowledged writes, deletes and task receipts, none missing, fsck clean after each`,
  );
}

test(`kill -9 under load, ${kills} times, on the embedded database`, () =>
  killRounds(kills, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'counterfoil-kill-'));
    return {
      env: { DATA_DIR: directory },
      strike: async () => undefined,
      remove: async () => rmSync(directory, { recursive: true, force: true }),
    };
  }));

test(`kill -9 under load, ${kills} times, on a PostgreSQL server`, () =>
  killRounds(kills, async () => {
    const url = await freshDatabase();
    // The keys of the log, which know what was signed in this store.
    const directory = mkdtempSync(join(tmpdir(), 'counterfoil-kill-'));
    return {
      env: { DATABASE_URL: url, DATA_DIR: directory },
      strike: () => killBackends(url),
      async remove() {
        rmSync(directory, { recursive: true, force: true });
        await dropDatabase(url);
      },
    };
  }));

/** Kills the server's own processes as well: it recovers from its log, while the service sees its connections break. */
async function killBackends(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() limit 1',
  );
  for (const { pid } of rows) process.kill(pid, 'SIGKILL');
  await client.end().catch(() => undefined);
  for (let tries = 0; tries < 300; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const probe = new pg.Client({ connectionString: url });
    probe.on('error', () => undefined);
    const back = await probe.connect().then(
      () => true,
      () => false,
    );
    await probe.end().catch(() => undefined);
    if (back) return;
  }
  throw new Error('the server does not come back');
}
