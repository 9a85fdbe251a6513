import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { bare, program, type Service, start } from '../../faults/service-process.js';
import { quickDirectory } from '../../support/memory-disk.js';
import { preparedDatabase, quickStore } from '../../support/prepared-store.js';
import { repeats } from '../../support/repeats.js';

/** How often the service is killed while it indexes memories in the commits of their writes. */
const kills = repeats('INDEX_KILLS');
/** A store is thrown away after this number of kills, because a check of what has grown takes long. */
const killsPerStore = 20;
const clients = 8;
/** How many of the memories that were acknowledged since the last kill are searched for, the newest first. */
const searched = 24;
const key = 'ak_kill00000000000000000000000000000';
const run = promisify(execFile);

const accepted = z.object({ memory_id: z.uuid() });
const answer = z.object({ data: z.array(z.object({ memory_id: z.uuid(), content: z.string() })) });
const page = z.object({
  data: z.array(z.object({ id: z.uuid(), excerpt: z.string() })),
  next_cursor: z.string().nullable(),
});

async function ask(origin: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}` },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (response.status >= 300) throw new Error(`${method} ${path} is refused: ${response.status} ${text}`);
  return JSON.parse(text);
}

const found = async (origin: string, query: string): Promise<string[]> => {
  const { data } = answer.parse(await ask(origin, 'POST', '/v1/memories/search', { query, k: 20 }));
  return data.filter(({ content }) => content.includes(query)).map(({ memory_id }) => memory_id);
};

/** By a word that only one memory has: the memory, or null once its delete was acknowledged. */
type Acknowledged = Map<string, string | null>;

/** Writes until the service is gone. What is written is searched for at once, and every fifth memory is deleted at once. */
async function load(origin: string, seen: Acknowledged, round: number, wrong: string[]): Promise<void> {
  const client = async (name: number) => {
    for (let i = 0; ; i += 1) {
      const word = `quay${round}x${name}x${i}`;
      const content = `the ferry ${word} leaves the pier at dusk`;
      const { memory_id } = accepted.parse(await ask(origin, 'POST', '/v1/memories', { content }));
      seen.set(word, memory_id);
      if (i % 4 === 1 && !(await found(origin, word)).includes(memory_id)) wrong.push(`${word} is not found`);
      if (i % 5 !== 2) continue;
      seen.delete(word);
      await ask(origin, 'DELETE', `/v1/memories/${memory_id}`);
      seen.set(word, null);
    }
  };
  await Promise.allSettled(Array.from({ length: clients }, (_, name) => client(name)));
}

/** Memories that are there and not found, and those that are found and not there. No worker runs that could repair it. */
async function faults(origin: string, seen: Acknowledged): Promise<string[]> {
  const all: string[] = [];
  for (const [word, id] of [...seen].reverse().slice(0, searched)) {
    const hits = await found(origin, word);
    if (id === null ? hits.length > 0 : hits.join() !== id) all.push(`${word} is ${id}, and finds ${hits.join()}`);
  }
  // Those of which no one has heard are there whole as well.
  const { data } = page.parse(await ask(origin, 'GET', '/v1/memories?limit=20'));
  for (const { id, excerpt } of data) {
    const [word = ''] = /quay\w+/.exec(excerpt) ?? [];
    if (!(await found(origin, word)).includes(id)) all.push(`${word} is listed and not found`);
  }
  return all;
}

interface KilledStore {
  readonly env: Record<string, string>;
  remove(): void;
}

async function killRounds(newStore: () => Promise<KilledStore>): Promise<void> {
  let writes = 0;
  for (let first = 0; first < kills; first += killsPerStore) {
    const { env: place, remove } = await newStore();
    const quiet = { LOG_LEVEL: 'error', RATE_LIMITS: 'off', OTS_CALENDARS: 'off', PORT: '0', ROLES: 'http' };
    const env = { ...place, ...quiet, BOOTSTRAP_API_KEY: key };
    let service: Service = await start(env);
    try {
      for (let round = first; round < Math.min(first + killsPerStore, kills); round += 1) {
        const seen: Acknowledged = new Map();
        const wrong: string[] = [];
        const loading = load(service.origin, seen, round, wrong);
        while (seen.size < 4) await pause(5);
        await pause(Math.random() * 600);
        await service.kill();
        await loading;
        writes += seen.size;
        service = await start(env);
        expect([...wrong, ...(await faults(service.origin, seen))], `after kill ${round + 1}`).toEqual([]);
      }
      await service.stop();
      const { stdout } = await run(process.execPath, [...program, 'fsck'], { env: { ...bare, ...env } });
      expect(stdout).toContain('No fault');
    } finally {
      await service.kill();
      remove();
    }
  }
  console.log(`${kills} kills while indexing in the commit, ${writes} acknowledged writes and deletes, nothing wrong`);
}

describe(`kill -9 while short memories are indexed in their commits, ${kills} times`, () => {
  // @covers JOB-AT-WRITE
  test('on the embedded database', () =>
    killRounds(async () => {
      const directory = await quickStore();
      return { env: { DATA_DIR: directory }, remove: () => rmSync(directory, { recursive: true, force: true }) };
    }));

  test('on a PostgreSQL server', () =>
    killRounds(async () => {
      const directory = quickDirectory();
      return {
        env: { DATABASE_URL: await preparedDatabase(), DATA_DIR: directory },
        remove: () => rmSync(directory, { recursive: true, force: true }),
      };
    }));
});
