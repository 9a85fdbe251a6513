import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Service, startService } from '../../http/service.js';
import { type EventStoreServer, startEventStore } from '../../support/eventstore-server/server.js';
import { preparedDirectory } from '../../support/prepared-store.js';

let server: EventStoreServer;
let service: Service;
let env: Record<string, string>;
const password = 's@cret/word';

beforeAll(async () => {
  server = await startEventStore();
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-test-'));
  await preparedDirectory(directory);
  const url = server.url.replace('://', `://someone:${encodeURIComponent(password)}@`);
  env = { DATA_DIR: directory, EVENTSTORE_URL: url, LOG_LEVEL: 'debug' };
  service = await startService(env);
});
afterAll(async () => {
  await service.stop();
  await server.stop();
});

const write = (content: string) => service.call('POST', '/v1/memories', { content });
const ready = async () => (await service.call('GET', '/readyz')).status;

it('takes memories, and finds them', async () => {
  expect((await write('Ada prefers tea in the morning.')).status).toBe(202);
  await service.settled();
  const found = await service.call('POST', '/v1/memories/search', { query: 'tea' });
  expect(found.json.data).toHaveLength(1);
  expect(await ready()).toBe(200);
  const { text } = await service.call('GET', '/metrics');
  expect(text).toContain('counterfoil_engine_up{engine="eventstore"} 1');
  expect(text).toMatch(/counterfoil_follower_lag_entries\{follower="eventstore-staged"\} \d/);
});

// @covers EVS-READY EVS-CREDENTIALS
it('is not ready while EventStoreDB is away, takes what it was given once it is back, and never logs the credentials', async () => {
  const { port, store } = server;
  await server.stop();
  // A good answer may be up to a second old.
  await expect.poll(ready).toBe(503);
  expect((await service.call('GET', '/readyz')).text).toContain('the ledger does not answer');
  const refused = await write('while it is away');
  expect([refused.status, refused.json.error.code]).toEqual([503, 'receipt_unavailable']);
  server = await startEventStore({ store, port });
  await expect.poll(ready).toBe(200);
  expect((await write('after it is back')).status).toBe(202);
  const shown = service.logged.join('\n') + refused.text;
  expect(shown).not.toMatch(/s@cret|s%40cret|someone/);
});

it('continues after a restart', async () => {
  await service.app.close();
  service = await startService(env);
  await service.settled();
  const found = await service.call('POST', '/v1/memories/search', { query: 'tea' });
  expect(found.json.data).toHaveLength(1);
  expect((await write('after a restart')).status).toBe(202);
  await expect(
    startService({
      ...env,
      DATA_DIR: mkdtempSync(join(tmpdir(), 'counterfoil-test-')),
      EVENTSTORE_URL: 'esdb://a:b@c:d@e',
    }),
  ).rejects.toThrow(/^EVENTSTORE_URL is wrong: it must be esdb:/);
});
