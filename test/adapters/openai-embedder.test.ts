import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { EmbedderAway, OtherSize, TextsRefused } from '../../src/adapters/embeddings/embedder.js';
import { openAiEmbedder, type StoredSize } from '../../src/adapters/embeddings/openai.js';
import { type Behaviour, type EmbeddingsServer, embeddingsServer } from '../http/embeddings-server.js';

let server: EmbeddingsServer;
beforeAll(async () => {
  server = await embeddingsServer();
});
beforeEach(() => {
  server.state.behaviour = 'answers';
});
afterAll(() => server.close());

const open = (storedSize?: StoredSize) =>
  openAiEmbedder({ url: server.env.EMBEDDINGS_URL, model: 'eight', apiKey: undefined }, storedSize);

const query = (embedder: ReturnType<typeof open>) => embedder.query('a query', new Map());

// @covers SEARCH-WRONG-VECTORS
test('vectors of another size than the stored ones are a fault of the server, for memories and for queries', async () => {
  const embedder = open(async (model) => (model === 'openai:eight' ? 5 : null));
  await expect(embedder.documents(['a text'])).rejects.toEqual(new OtherSize(8, 5));
  await expect(query(embedder)).rejects.toEqual(new OtherSize(8, 5));
  expect(await query(open(async () => 8))).toHaveLength(8);
});

// @covers SEARCH-WRONG-VECTORS
test('where no vector is stored yet, the first two answers must agree on the size, and all later ones with them', async () => {
  const embedder = open();
  expect(await query(embedder)).toHaveLength(8);
  const { requests } = server.state;
  expect(await embedder.documents(['a text', 'another'])).toHaveLength(2);
  expect(server.state.requests).toBe(requests + 2);
  expect(await embedder.documents(['a third'])).toHaveLength(1);
  expect(server.state.requests).toBe(requests + 3);
  server.state.behaviour = 'gives other sizes';
  await expect(embedder.documents(['a fourth'])).rejects.toThrow(EmbedderAway);
  await expect(query(embedder)).rejects.toThrow(EmbedderAway);
  embedder.forgetSize?.();
  expect((await embedder.documents(['a fifth']))[0]).toHaveLength(11);
  const mixed = open();
  server.state.behaviour = 'mixes sizes';
  await expect(mixed.documents(['a text', 'another'])).rejects.toThrow('vectors of different sizes');
});

test.each<[Behaviour, string]>([
  ['refuses', 'it cannot be reached'],
  ['fails', 'answered 503'],
  ['is busy', 'answered 429'],
  ['gives no numbers', 'an answer that cannot be understood'],
])('a server that %s is away', async (behaviour, sentence) => {
  server.state.behaviour = behaviour;
  const failure = await open()
    .documents(['a text'])
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(EmbedderAway);
  expect(failure).toMatchObject({
    message: expect.stringContaining(sentence),
    isBusy: behaviour === 'is busy',
    retryAfterMs: behaviour === 'is busy' ? 1000 : null,
  });
});

test('a text that the server refuses is distinguished from a server that is away', async () => {
  await expect(open().documents(['an unembeddable text'])).rejects.toEqual(
    new TextsRefused('the embeddings server answered 400'),
  );
});
