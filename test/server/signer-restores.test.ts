import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { audit } from '../../src/cli/audit.js';
import { type Service, start } from '../faults/service-process.js';
import { evaluated } from '../http/log-reader.js';
import { apiKey } from '../http/service.js';
import { databaseOn, dropDatabase, freshDatabase, onMaintenanceDatabase } from '../support/fresh-database.js';
import { preparedDatabase } from '../support/prepared-store.js';
import { repeats } from '../support/repeats.js';

const run = promisify(execFile);
/** pg_dump must not be older than the server. */
const bin = process.env.PG_BIN ?? '/usr/lib/postgresql/15/bin';
const rounds = repeats('SIGNER_RESTORES');
const names = ['first', 'second', 'third'] as const;

let parent: string;
let url: string;
const running = new Map<string, Service>();
beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'counterfoil-restores-'));
  url = await preparedDatabase();
}, 600_000);
afterAll(async () => {
  await Promise.all([...running.values()].map((service) => service.kill()));
  await dropDatabase(url);
  rmSync(parent, { recursive: true, force: true });
}, 600_000);

const keysOf = (name: string) => join(parent, name, 'keys');

async function begin(name: string): Promise<void> {
  if (running.has(name)) return;
  mkdirSync(join(parent, name), { recursive: true });
  const key = join(keysOf('first'), 'signing-keys.json');
  if (!existsSync(keysOf(name)) && existsSync(key)) {
    mkdirSync(keysOf(name), { mode: 0o700 });
    cpSync(key, join(keysOf(name), 'signing-keys.json'));
  }
  const service = await start({
    DATABASE_URL: url,
    DATA_DIR: join(parent, name),
    BASE_URL: 'http://log.example.org',
    BOOTSTRAP_API_KEY: apiKey,
    OTS_CALENDARS: 'off',
    RATE_LIMITS: 'off',
    PORT: '0',
  });
  running.set(name, service);
}

async function end(name: string, how: 'kill' | 'stop'): Promise<void> {
  await running.get(name)?.[how]();
  running.delete(name);
}

const answer = z.looseObject({
  memory_id: z.string().optional(),
  receipt_id: z.string().optional(),
  checkpoint: z.string().optional(),
});

/** Writes a memory and asks a process for its proof. @returns whether a checkpoint is over it */
async function proved(name: string, content: string): Promise<boolean> {
  const call = async (path: string, body?: object) => {
    const response = await fetch(`${running.get(name)?.origin}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${apiKey}` },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return answer.parse(await response.json());
  };
  const { memory_id } = await call('/v1/memories', { content });
  const { receipt_id } = await call(`/v1/memories/${memory_id}`);
  return (await call(`/v1/receipts/${receipt_id}/proof`)).checkpoint !== undefined;
}

/** Until a process has signed what is written to it. */
async function untilProved(name: string, content: string): Promise<void> {
  for (let tries = 0; !(await proved(name, `${content}, ${tries}`).catch(() => false)); tries += 1) {
    if (tries > 240) throw new Error(`${name} gets no checkpoint: ${content}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function dumped(at: number): Promise<string> {
  const file = join(parent, `${at}.dump`);
  await run(join(bin, 'pg_dump'), ['--format=custom', `--file=${file}`, url]);
  const copy = await freshDatabase();
  await run(join(bin, 'pg_restore'), ['--no-owner', `--dbname=${copy}`, file]);
  return copy;
}

/** Allows the name of the database lead to the other one, also below running processes; repeated, back again. */
function exchange(other: string): Promise<unknown> {
  const [live, copy] = [databaseOn(url), databaseOn(other)];
  return onMaintenanceDatabase(async (query) => {
    for (const one of [live, copy]) await query(`alter database ${one} allow_connections false`);
    await query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname in ('${live}', '${copy}')`);
    await query(`alter database ${live} rename to ${live}_away`);
    await query(`alter database ${copy} rename to ${live}`);
    await query(`alter database ${live}_away rename to ${copy}`);
    for (const one of [live, copy]) await query(`alter database ${one} allow_connections true`);
  });
}

/** An auditor who visits all the time, by any process. */
function startAuditor() {
  const state = join(parent, 'audit.json');
  const forks: string[] = [];
  let visits = 0;
  let isEnding = false;
  async function visit(origin: string): Promise<void> {
    const lines: string[] = [];
    const terminal = { out: (line: string) => lines.push(line), err: (line: string) => lines.push(line) };
    const code = await audit(`${origin}/v1/ledger`, { state, key: [] }, terminal, {
      progress: { report: () => undefined, stop: () => undefined },
    });
    if (code === 2) return;
    visits += 1;
    if (code === 1 && (await evaluated(`${state}.evidence.json`)).code === 0) forks.push(lines.join('\n'));
  }
  const visiting = (async () => {
    while (!isEnding) {
      for (const { origin } of running.values()) await visit(origin).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  })();
  return {
    async end() {
      isEnding = true;
      await visiting;
      return { forks, visits };
    },
  };
}

it(`signs no second history in ${rounds} restores and failovers below two and three processes`, async () => {
  await begin('first');
  await untilProved('first', 'the first one');
  const auditor = startAuditor();
  let signedBehind = 0;
  for (let round = 0; round < rounds; round += 1) {
    const used = names.slice(0, 2 + (round % 2));
    for (const name of names) if (!used.some((one) => one === name)) await end(name, 'stop');
    for (const name of used) await begin(name);
    const [signer = 'first', other = 'second'] = round % 3 === 0 ? used : used.toReversed();
    await untilProved(signer, `before the dump of round ${round}`);
    const copy = await dumped(round);
    await untilProved(other, `behind the dump of round ${round}`);
    const isRestore = round % 2 === 0;
    // Before a restore the processes are stopped or killed; a failover comes below them.
    if (isRestore) for (const name of used) await end(name, round % 4 === 0 ? 'stop' : 'kill');
    await exchange(copy);
    if (isRestore) for (const name of used.toReversed()) await begin(name);
    for (const name of used) if (await proved(name, `behind round ${round}`).catch(() => false)) signedBehind += 1;
    await exchange(copy);
    await dropDatabase(copy);
    // The newest store is back, and one of them signs by itself.
    for (const name of used) await untilProved(name, `after round ${round}`);
  }
  const { forks, visits } = await auditor.end();
  if (process.env.FIGURES !== undefined)
    process.stderr.write(`${rounds} rounds, ${visits} visits, ${forks.length} forks\n`);
  expect(forks).toEqual([]);
  expect(signedBehind).toBe(0);
}, 3_600_000);
