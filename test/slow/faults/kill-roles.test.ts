import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Role, roles } from '../../../src/settings/roles.js';
import { type Acknowledged, key, load, missing } from '../../faults/acknowledged.js';
import { medianAndWorst } from '../../faults/figures.js';
import { freePort } from '../../faults/free-port.js';
import { type OwnPostgres, ownPostgres } from '../../faults/postgres.js';
import { bare, program, start } from '../../faults/service-process.js';
import { repeats } from '../../support/repeats.js';

const rounds = repeats('KILLS_BY_ROLE');
const run = promisify(execFile);
const directory = mkdtempSync(join(tmpdir(), 'counterfoil-kill-roles-'));
/** A fault strikes within this time after the load has begun, and the load lasts until this time after it. */
const loadMs = 600;
const headers = { authorization: `Bearer ${key}` };

/** The target of a fault: the process of a role, or the server of the database. */
interface Target {
  kill(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/** A fault of a target, and the call that ends it. */
interface Fault {
  strike(target: Target): Promise<void>;
  recover(target: Target): Promise<void>;
}

const killed: Fault = { strike: (target) => target.kill(), recover: (target) => target.start() };
const milder: Readonly<Record<string, Fault>> = {
  stopped: { strike: (target) => target.stop(), recover: (target) => target.start() },
  paused: {
    async strike(target) {
      await target.pause();
      await pause(500 + Math.random() * 2500);
    },
    recover: (target) => target.resume(),
  },
  /** It runs for a quarter of the time. */
  slow: {
    async strike(target) {
      for (let i = 0; i < 10; i += 1) {
        await target.pause();
        await pause(150);
        await target.resume();
        await pause(50);
      }
    },
    recover: async () => undefined,
  },
};

let server: OwnPostgres;
/** A second process that answers while the first is away. */
let survivor: Awaited<ReturnType<typeof startRole>>;
let http: typeof survivor;
const targets = new Map<string, Target>();

const env = () => ({
  DATABASE_URL: server.url,
  DATA_DIR: directory,
  BOOTSTRAP_API_KEY: key,
  PORT: '0',
  LOG_LEVEL: 'error',
  RATE_LIMITS: 'off',
  OTS_CALENDARS: 'off',
  ANCHOR_INTERVAL: '1s',
});

async function startRole(role: Role) {
  const begin = () => start({ ...env(), ROLES: role });
  let service = await begin();
  return {
    origin: () => service.origin,
    kill: () => service.kill(),
    stop: () => service.stop(),
    async start() {
      service = await begin();
    },
    pause: async () => service.pause(),
    resume: async () => service.resume(),
  };
}

beforeAll(async () => {
  server = await ownPostgres(await freePort());
  survivor = await startRole('http');
  http = await startRole('http');
  targets.set('http', http);
  const others = roles.filter((role) => role !== 'http');
  await Promise.all(others.map(async (role) => targets.set(role, await startRole(role))));
  const { kill, start: begin, freeze, resume, restart } = server;
  targets.set('the server', { kill, start: begin, pause: freeze, resume, stop: () => restart(0) });
}, 300_000);

afterAll(async () => {
  targets.delete('the server');
  await Promise.all([...targets.values(), survivor].map((target) => target?.kill()));
  await server.remove();
  rmSync(directory, { recursive: true, force: true });
});

/** Waits until a write is taken. */
async function untilTaken(origin: string, content: string): Promise<void> {
  const write = () =>
    fetch(`${origin}/v1/memories`, { method: 'POST', headers, body: JSON.stringify({ content }) }).catch(() => null);
  while ((await write())?.status !== 202) await pause(20);
}

/** Waits until every memory can be found. After a kill that takes as long as the lease of jobs, which is too long for a short run. */
async function untilSearchable(origin: string): Promise<void> {
  const waiting = `${origin}/v1/ingest?stage=queued,extracting,chunking,embedding,indexing&limit=1`;
  for (const end = Date.now() + 120_000; Date.now() < end; await pause(50)) {
    const answer = await fetch(waiting, { headers }).catch(() => null);
    if (answer?.status === 200 && (await answer.text()).includes('"data":[]')) return;
  }
  throw new Error('writes are not searchable after 120 s');
}

/** Memories and task receipts that are in the database twice. */
async function doubled(): Promise<number> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query<{ doubled: number }>(
    `select ((select count(*) - count(distinct v.content) from memories m join vault v on v.receipt_id = m.receipt_id) +
       (select count(*) - count(distinct convert_from(bytes, 'UTF8')::json -> 'body' -> 'task' ->> 'receipt_id') from entries
         where convert_from(bytes, 'UTF8') like '%"kind":"task"%'))::int as doubled`,
  );
  await client.end();
  return rows[0]?.doubled ?? -1;
}

/** Strikes each target, in each round by another fault. */
async function strikeAll(what: string, faultOf: (round: number, at: number) => Fault): Promise<void> {
  const lines: string[] = [];
  for (const [at, [name, target]] of [...targets].entries()) {
    let acknowledged = 0;
    const taken: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const seen: Acknowledged = { memories: new Map(), batches: [] };
      const label = `${what}: ${name} ${round}`;
      const fault = faultOf(round, at);
      const stop = new AbortController();
      const loading = [http, survivor].map((one, i) => load(one.origin(), seen, `${label} ${i}`, stop.signal));
      await pause(Math.random() * loadMs);
      await fault.strike(target);
      await pause(Math.random() * loadMs);
      stop.abort();
      const since = performance.now();
      await fault.recover(target);
      await untilTaken(survivor.origin(), `after ${label}`);
      taken.push(performance.now() - since);
      await Promise.all(loading);
      expect(await missing(survivor.origin(), seen), `acknowledged before ${label}`).toEqual([]);
      acknowledged += seen.memories.size + 5 * seen.batches.length;
    }
    expect(await doubled(), name).toBe(0);
    const since = performance.now();
    if (rounds > 1) await untilSearchable(survivor.origin());
    lines.push(
      `${name}: ${acknowledged} acknowledged, none missing or doubled; ` +
        `a write is taken after ${medianAndWorst(taken)}` +
        (rounds > 1 ? `, everything is searchable ${Math.round(performance.now() - since)} ms later` : ''),
    );
  }
  const { stdout } = await run(process.execPath, [...program, 'fsck'], { env: { ...bare, ...env() } });
  expect(stdout).toContain('No fault');
  console.log(`${what}, ${rounds} times each, fsck clean:\n${lines.join('\n')}`);
}

// @covers ROLES-KILLED
it(`loses and doubles nothing when each process is killed ${rounds} times, and the server`, () =>
  strikeAll('kill -9', () => killed));

// @covers ROLES-KILLED
it(`loses and doubles nothing when each process is stopped, paused or slow ${rounds} times, and the server`, () => {
  const faults = Object.values(milder);
  return strikeAll('stopped, paused or slow', (round, at) => faults[(round + at) % faults.length] ?? killed);
});
