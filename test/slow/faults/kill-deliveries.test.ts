import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bare, program, start } from '../../faults/service-process.js';
import { openReceiver } from '../../http/receiver.js';
import { dropDatabase } from '../../support/fresh-database.js';
import { quickDirectory } from '../../support/memory-disk.js';
import { preparedDatabase, quickStore } from '../../support/prepared-store.js';
import { repeats } from '../../support/repeats.js';

/** How often the service is killed on each store. */
const kills = repeats('KILLS');
const clients = 4;
const key = 'ak_kill00000000000000000000000000000';
const owner = { email: 'owner@example.org', password: 'a password of the owner' };
const agent = `agn_${'k'.repeat(32)}`;
const run = promisify(execFile);
const json = async (response: Response) => JSON.parse(await response.text());

async function subscribe(origin: string, target: string): Promise<void> {
  const body = JSON.stringify(owner);
  const session = await fetch(`${origin}/v1/session`, { method: 'POST', body });
  const cookie = session.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const link = { method: 'POST', headers: { cookie }, body: JSON.stringify({ agent_id: agent }) };
  expect((await fetch(`${origin}/v1/agents`, link)).status).toBe(201);
  const hook = { webhook_url: target, pattern: { source: 'kill' } };
  const headers = { authorization: `Bearer ${key}`, 'x-service-agent': agent };
  expect((await fetch(`${origin}/v1/webhooks`, { method: 'POST', headers, body: JSON.stringify(hook) })).status).toBe(
    201,
  );
}

/** Clients that write until the service is gone. @param acknowledged gets the id of each memory that was */
async function load(origin: string, label: string, acknowledged: Set<string>): Promise<void> {
  const client = async (name: number) => {
    for (let i = 0; i < 10_000; i += 1) {
      const body = JSON.stringify({ content: `${label} client ${name} memory ${i}`, source: 'kill' });
      const headers = { authorization: `Bearer ${key}` };
      const response = await fetch(`${origin}/v1/memories`, { method: 'POST', headers, body });
      if (response.status === 202) acknowledged.add((await json(response)).memory_id);
    }
  };
  await Promise.allSettled(Array.from({ length: clients }, (_, name) => client(name)));
}

async function killRounds(env: Record<string, string>): Promise<void> {
  const receiver = await openReceiver();
  // Some are answered late and some are refused, so that kills meet them at every point.
  let count = 0;
  receiver.answer((_request, response) => {
    count += 1;
    const code = count % 11 === 0 ? 500 : 204;
    setTimeout(() => response.writeHead(code).end(), count % 5 === 0 ? 200 : 5);
  });
  const settings = {
    ...{ ...env, BOOTSTRAP_API_KEY: key, OWNER_EMAIL: owner.email, OWNER_PASSWORD: owner.password, PORT: '0' },
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
    OTS_CALENDARS: 'off',
    ALLOW_PRIVATE_URLS: '1',
  };
  const acknowledged = new Set<string>();
  for (let round = 0; round < kills; round += 1) {
    const service = await start(settings);
    if (round === 0) await subscribe(service.origin, `${receiver.origin}/`);
    const loading = load(service.origin, `round ${round}`, acknowledged);
    await new Promise((resolve) => setTimeout(resolve, 1000 + Math.random() * 1500));
    await service.kill();
    await loading;
  }
  const again = await start(settings);
  try {
    const reported = () => new Set(receiver.received.map((one): string => one.json.data.memory.id));
    const missing = () => [...acknowledged].filter((id) => !reported().has(id));
    // What a killed process had in progress comes when its lease has run out.
    for (let tries = 0; missing().length > 0 && tries < 180; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    expect(acknowledged.size).toBeGreaterThan(kills);
    expect(missing()).toEqual([]);
    const checked = await run(process.execPath, [...program, 'fsck'], { env: { ...bare, ...settings } });
    expect(checked.stdout).toContain('No fault');
  } finally {
    await again.kill();
    await receiver.close();
  }
  const ids = new Set(receiver.received.map((one) => one.headers['webhook-id']));
  console.log(
    `${kills} kills, ${acknowledged.size} acknowledged memories, all delivered; ` +
      `${receiver.received.length} requests of ${ids.size} deliveries`,
  );
}

test(`kill -9 during deliveries, ${kills} times, loses none on the embedded database`, async () => {
  const directory = await quickStore();
  await killRounds({ DATA_DIR: directory });
  rmSync(directory, { recursive: true, force: true });
});

test(`kill -9 during deliveries, ${kills} times, loses none on a PostgreSQL server`, async () => {
  const url = await preparedDatabase();
  const directory = quickDirectory();
  await killRounds({ DATABASE_URL: url, DATA_DIR: directory });
  rmSync(directory, { recursive: true, force: true });
  await dropDatabase(url);
});
