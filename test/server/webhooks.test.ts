import { afterAll, beforeAll, expect, it } from 'vitest';
import { lexicalEmbedder } from '../../src/adapters/embeddings/lexical.js';
import { fsck } from '../../src/maintenance/fsck.js';
import { rebuildables } from '../../src/maintenance/rebuildable.js';
import { signedIn } from '../http/person.js';
import { openReceiver, quiet, type Receiver, status } from '../http/receiver.js';
import { type Service, startService } from '../http/service.js';
import { dropDatabase, freshDatabase } from '../support/fresh-database.js';

/** Two processes' worth of the service on one database. */
let url: string;
let services: Service[];
let receiver: Receiver;
const owner = { email: 'owner@example.org', password: 'a password of the owner' };
const identity = (number: number) =>
  `agn_${'a'.repeat(30)}${'abcdefghij'[Math.floor(number / 10)]}${'klmnopqrst'[number % 10]}`;

beforeAll(async () => {
  url = await freshDatabase();
  const env = { DATABASE_URL: url, ALLOW_PRIVATE_URLS: '1', OWNER_EMAIL: owner.email, OWNER_PASSWORD: owner.password };
  const first = await startService(env);
  services = [first, await startService(env)];
  receiver = await openReceiver();
  const person = await signedIn(first, owner);
  for (let i = 0; i < 14; i += 1) await person.call('POST', '/v1/agents', { agent_id: identity(i) });
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await receiver.close();
  await dropDatabase(url);
});

const on = (number: number): Service => {
  const service = services[number % services.length];
  if (!service) throw new Error('there is no service');
  return service;
};
const create = (number: number, agent: string, path = '/', source = 'x') =>
  on(number).call(
    'POST',
    '/v1/webhooks',
    { webhook_url: `${receiver.origin}${path}`, pattern: { source } },
    { 'x-service-agent': agent },
  );

it('sends each memory once to each webhook, anyone who of two has it in progress', async () => {
  receiver.answer((request, response) => setTimeout(() => status(204)(request, response), 20));
  const made = await Promise.all([create(0, identity(0), '/one', 'once'), create(1, identity(1), '/two', 'once')]);
  expect(made.map((one) => one.status)).toEqual([201, 201]);
  const content = (i: number) => `memory ${i} for two`;
  const write = (i: number) => on(i).call('POST', '/v1/memories', { content: content(i), source: 'once' });
  const written = await Promise.all(Array.from({ length: 120 }, (_, i) => write(i)));
  const ids = written.map(({ json }) => json.memory_id).sort();
  await receiver.until(240);
  await quiet(2500);
  for (const path of ['/one', '/two']) {
    const reported = receiver.received.filter((one) => one.path === path);
    expect(reported.map((one) => one.json.data.memory.id).sort()).toEqual(ids);
  }
});

// @covers HOOK-LIMIT-AGENT HOOK-LIMIT-WORKSPACE ERR-subscription_limit
it('holds 50 webhooks of an agent and 500 of a workspace, however many ask at once and of whom', async () => {
  const race = async (agent: string, count: number) => {
    const replies = await Promise.all(Array.from({ length: count }, (_, i) => create(i, agent)));
    for (const { status: got, json } of replies) {
      if (got !== 201) expect([got, json.error.code]).toEqual([409, 'subscription_limit']);
    }
    return replies.filter((one) => one.status === 201).length;
  };
  expect(await race(identity(2), 64)).toBe(50);
  const [mine] = (await on(0).call('GET', '/v1/webhooks', undefined, { 'x-service-agent': identity(2) })).json.data;
  const gone = await on(1).call('DELETE', `/v1/webhooks/${mine.id}`, undefined, { 'x-service-agent': identity(2) });
  expect(gone.status).toBe(200);
  expect(await race(identity(2), 8)).toBe(1);
  // 52 there are by now, and 11 agents ask for 50 each.
  const made = await Promise.all(Array.from({ length: 11 }, (_, i) => race(identity(3 + i), 50)));
  expect(made.reduce((sum, one) => sum + one, 0)).toBe(448);
  const [counted] = await on(0).app.database.read((tx) => tx.query('select count(*) as n from webhooks'));
  expect(counted).toEqual({ n: 500 });
});

it('has nothing wrong in its store', async () => {
  const checked = await fsck(on(0).app.database, rebuildables(lexicalEmbedder()), { onProgress: () => undefined });
  expect(checked.faults).toBeNull();
});
