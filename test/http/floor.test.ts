import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddingsServer, embeddingsServer } from './embeddings-server.js';
import { type Service, startService, testWorld } from './service.js';

let embeddings: EmbeddingsServer;
let service: Service;
beforeAll(async () => {
  embeddings = await embeddingsServer(40);
  service = await startService(embeddings.env, {
    ...testWorld,
    sleep: (ms, signal) => testWorld.sleep(ms / 10, signal),
  });
});
afterAll(async () => {
  await service.stop();
  await embeddings.close();
});

/** Three words of these lengths. The server makes texts alike whose words are equally long, with any letters. */
const text = (letter: string, lengths: readonly number[]) => lengths.map((length) => letter.repeat(length)).join(' ');
const search = async (query: string): Promise<{ content: string; signals: { dense: object | null } }[]> =>
  (await service.call('POST', '/v1/memories/search', { query })).json.data;

// @covers SEARCH-FLOOR SEARCH-FLOOR-ESTIMATE
test('with a model, a query that fits nothing finds nothing as soon as the store has enough memories', async () => {
  const unfit = text('z', [35, 36, 37]);
  const lengths = (n: number) => [3 + (n % 10), 13 + (Math.floor(n / 10) % 10), 23 + ((7 * n) % 10)];
  const texts = Array.from({ length: 100 }, (_, n) => text('a', lengths(n)));
  const add = (content: string) => service.call('POST', '/v1/memories', { content });
  await add(texts[0] ?? '');
  await service.settled();
  expect(await search(unfit)).toHaveLength(1);
  await Promise.all(texts.slice(1).map(add));
  await service.settled();
  await expect.poll(() => search(unfit), { timeout: 10_000, interval: 100 }).toEqual([]);
  const [near] = await search(text('z', lengths(42)));
  expect(near).toMatchObject({ content: texts[42], signals: { dense: { score: expect.closeTo(1) } } });
  // A word of a memory makes it a hit although no vector is near.
  expect((await search(`${unfit} ${'a'.repeat(3)}`)).length).toBeGreaterThan(0);
});
