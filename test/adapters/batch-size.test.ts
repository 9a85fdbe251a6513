import { expect, test } from 'vitest';
import { createBatchSize } from '../../src/adapters/embeddings/batch-size.js';
import { openAiEmbedder } from '../../src/adapters/embeddings/openai.js';
import { embeddingsServer } from '../http/embeddings-server.js';
import { embeddingOf } from '../support/embedding.js';

// @covers JOB-BATCH-SIZE
test('a number of texts that is too large is halved, and doubled after an hour', () => {
  let time = 0;
  const size = createBatchSize(() => time);
  expect(size.now()).toBe(64);
  size.noteTooMany(64);
  size.noteTooMany(20);
  expect(size.now()).toBe(10);
  // It was known already.
  size.noteTooMany(64);
  time += 3_599_999;
  expect(size.now()).toBe(10);
  time += 1;
  expect([size.now(), size.now()]).toEqual([20, 20]);
  time += 2 * 3_600_000;
  expect(size.now()).toBe(40);
  for (const _ of [1, 2]) {
    time += 3_600_000;
    expect(size.now()).toBe(64);
  }
});

test('a failure halves the number of texts only if the request was a large one', () => {
  const size = createBatchSize(() => 0);
  size.noteFailed(32);
  expect(size.now()).toBe(64);
  size.noteFailed(33);
  expect(size.now()).toBe(17);
  for (let i = 0; i < 9; i += 1) size.noteFailed(size.now());
  expect(size.now()).toBe(1);
});

const texts = Array.from({ length: 100 }, (_, n) => `text ${'a'.repeat(n % 7)}`);

async function withServer(work: (server: Awaited<ReturnType<typeof embeddingsServer>>) => Promise<void>) {
  const server = await embeddingsServer();
  await work(server).finally(server.close);
}
const embeddingAt = ({ env }: Awaited<ReturnType<typeof embeddingsServer>>) => {
  const embedder = openAiEmbedder({ url: env.EMBEDDINGS_URL, model: 'eight', apiKey: undefined });
  return embeddingOf(embedder);
};

// @covers JOB-BATCH-SIZE
test.each([
  400, 413, 422, 424,
])('a server that refuses more than 10 texts with %i gets as many as it takes from then on', (status) =>
  withServer(async (server) => {
    server.state.most = { texts: 10, status };
    const embedding = embeddingAt(server);
    const some = texts.map((text, n) => (n === 40 ? 'an unembeddable text' : text));
    const { vectors } = await embedding.inTime(some);
    expect(vectors.flatMap((vector, n) => (vector ? [] : [n]))).toEqual([40]);
    server.state.batches.length = 0;
    expect((await embedding.soon(texts)).vectors).toHaveLength(100);
    expect(Math.max(...server.state.batches)).toBeLessThanOrEqual(10);
    expect(server.state.batches.length).toBeLessThan(25);
  }));

// @covers JOB-BATCH-SIZE
test('a server that fails with more than 10 texts gets fewer after each failure', () =>
  withServer(async (server) => {
    server.state.most = { texts: 10, status: 500 };
    const embedding = embeddingAt(server);
    for (const size of [64, 32, 16]) {
      await expect(embedding.inTime(texts)).rejects.toThrow('answered 500');
      expect(server.state.batches.at(-1)).toBe(size);
    }
    expect((await embedding.inTime(texts)).vectors).toHaveLength(100);
  }));
