import { afterAll, beforeAll, expect, it } from 'vitest';
import { realWorld } from '../../src/base/world.js';
import { laterWorld, type Service, startService } from '../http/service.js';
import { freshDatabase } from '../support/fresh-database.js';

let service: Service;
let ahead = 0;
beforeAll(async () => {
  const env = { DATABASE_URL: await freshDatabase(), RATE_LIMITS: 'on' };
  service = await startService(
    env,
    laterWorld(realWorld, () => ahead),
  );
});
afterAll(() => service.stop());

// @covers SEARCH-DENSE-QUOTA
it('embeds 5000 queries of a workspace a day, and searches continue by keywords alone', async () => {
  await service.call('POST', '/v1/memories', { content: 'a quota of pelicans' });
  await service.settled();
  const search = async () => {
    const { json } = await service.call('POST', '/v1/memories/search', { query: 'pelicans' });
    return { mode: json.mode, degraded: json.degraded, hits: json.data.length };
  };
  expect(await search()).toEqual({ mode: 'fused', degraded: [], hits: 1 });
  // As if 4998 more had been embedded since.
  const [row] = await service.app.database.transaction((tx) =>
    tx.query<{ points: number }>(
      `update rate_limits set points = points + 4998 where key like 'query-embeddings:%' returning points`,
    ),
  );
  expect(row?.points).toBe(4999);
  expect((await search()).degraded).toEqual([]);
  expect(await search()).toEqual({ mode: 'keyword', degraded: ['dense_quota'], hits: 1 });
  const tomorrow = new Date(`${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`).getTime() + 86_400_000;
  ahead = tomorrow - Date.now();
  expect(await search()).toEqual({ mode: 'fused', degraded: [], hits: 1 });
});
