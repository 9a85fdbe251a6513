import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../../faults/free-port.js';
import { faultsAfter, linkedAgent, owner, type Reported, startLoad } from '../../faults/outage.js';
import { type OwnPostgres, ownPostgres } from '../../faults/postgres.js';
import { type Service, start } from '../../faults/service-process.js';
import { apiKey } from '../../http/service.js';

let server: OwnPostgres;
let directory: string;
let watcher: pg.Client;
let [holder, other]: Service[] = [];
beforeEach(async () => {
  server = await ownPostgres(await freePort());
  const { url } = server;
  directory = mkdtempSync(join(tmpdir(), 'counterfoil-queue-'));
  watcher = new pg.Client({ connectionString: url });
  await watcher.connect();
  const quiet = { LOG_LEVEL: 'error', RATE_LIMITS: 'off', OTS_CALENDARS: 'off', BASE_URL: 'http://counterfoil.test' };
  const env = { ...quiet, ...owner, DATABASE_URL: url, DATA_DIR: directory, BOOTSTRAP_API_KEY: apiKey, PORT: '0' };
  holder = await start(env);
  other = await start(env);
});
afterEach(async () => {
  await Promise.all([holder?.kill(), other?.kill()]);
  await watcher.end();
  await server.remove();
  rmSync(directory, { recursive: true, force: true });
});

/** Whether the same transaction is at the head of a queue, and does nothing there, for the whole of this time. */
async function isHeldFor(ms: number): Promise<boolean> {
  const holders = async () => {
    const { rows } = await watcher.query<{ xact: string }>(
      `select a.pid || ' ' || a.xact_start as xact from pg_locks l join pg_stat_activity a using (pid)
        where l.locktype = 'advisory' and l.classid = 4201704 and l.granted and a.datname = current_database()
          and a.state = 'idle in transaction'`,
    );
    return rows.map(({ xact }) => xact);
  };
  const before = await holders();
  await pause(ms);
  const after = await holders();
  return before.some((one) => after.includes(one));
}

/** Stops the process until it does so while it is at the head of a queue. */
async function freezeAtHead(process: Service): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    process.pause();
    if (await isHeldFor(500)) return;
    process.resume();
    await pause(50 + 50 * Math.random());
  }
  throw new Error('the process was never at the head when it was stopped');
}

/** Writes of one client, with the longest time that one took. */
async function slowestWrite(origin: string, during: Promise<unknown>, name: string): Promise<number> {
  let isOver = false;
  void during.finally(() => {
    isOver = true;
  });
  let slowest = 0;
  for (let n = 0; !isOver || n === 0; n += 1) {
    const from = performance.now();
    const { status } = await fetch(`${origin}/v1/memories`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ content: `${name} ${n}` }),
    });
    slowest = Math.max(slowest, performance.now() - from);
    expect(status).toBe(202);
  }
  return slowest;
}

const together = (reported: readonly Reported[]): Reported => ({
  memories: new Map(reported.flatMap(({ memories }) => [...memories])),
  counts: new Map(),
  wrong: reported.flatMap(({ wrong }) => wrong),
  slowest: 0,
});

test('a process that stops answering at the head of the queue holds others up for 15 s, and nothing is lost or there twice', async () => {
  if (!(holder && other)) throw new Error('not started');
  const agent = await linkedAgent(holder.origin);
  const load = startLoad(holder.origin, 8, agent);
  await freezeAtHead(holder);
  const slowest = await slowestWrite(other.origin, pause(18_000), 'beside a frozen one');
  expect(slowest).toBeGreaterThan(5000);
  expect(slowest).toBeLessThan(25_000);
  holder.resume();
  await pause(3000);
  const reported = await load.stop();
  expect(reported.wrong).toEqual([]);
  expect([...reported.counts.keys()].filter((name) => name.startsWith('write'))).toContain('write 202');
  await holder.stop();
  await other.stop();
  expect(await faultsAfter(server.url, reported)).toEqual([]);
});

test('a process that is killed at the head of the queue holds no one up, and nothing is lost or there twice', async () => {
  if (!(holder && other)) throw new Error('not started');
  const agent = await linkedAgent(holder.origin);
  const load = startLoad(other.origin, 8, agent);
  const writing = new AbortController();
  const { origin } = holder;
  const killed = Promise.all(
    Array.from({ length: 8 }, async (_, client) => {
      const memories = new Map<string, string>();
      for (let n = 0; !writing.signal.aborted; n += 1) {
        const content = `of the one that is killed ${client} ${n}`;
        const answer = await fetch(`${origin}/v1/memories`, {
          method: 'POST',
          headers: { authorization: `Bearer ${apiKey}` },
          body: JSON.stringify({ content }),
        })
          .then(async (response) => ({ status: response.status, json: JSON.parse(await response.text()) }))
          .catch(() => null);
        if (answer === null) return memories;
        if (answer.status === 202) memories.set(answer.json.memory_id, content);
      }
      return memories;
    }),
  );
  await pause(1000);
  await freezeAtHead(holder);
  const killing = holder.kill();
  const slowest = await slowestWrite(other.origin, Promise.all([killing, pause(3000)]), 'beside a killed one');
  // Far less than the 15 s after which the server ends a transaction whose process does nothing.
  expect(slowest).toBeLessThan(8000);
  writing.abort();
  const acknowledged = await killed;
  const reported = await load.stop();
  expect(reported.wrong).toEqual([]);
  await other.stop();
  const own: Reported = {
    memories: new Map(acknowledged.flatMap((memories) => [...memories])),
    counts: new Map(),
    wrong: [],
    slowest: 0,
  };
  expect(own.memories.size).toBeGreaterThan(0);
  expect(await faultsAfter(server.url, together([reported, own]))).toEqual([]);
});
