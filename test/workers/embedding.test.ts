import { expect, test } from 'vitest';
import { withoutVectors } from '../../projections/search/queries.js';
import {
  type Embedder,
  EmbedderAway,
  OtherSize,
  type Patience,
  TextsRefused,
} from '../../src/adapters/embeddings/embedder.js';
import { lexicalEmbedder } from '../../src/adapters/embeddings/lexical.js';
import { queryEmbedding } from '../../src/adapters/embeddings/queries.js';
import { embeddingOf } from '../support/embedding.js';

/** An embedder that does what the test says, and remembers what it was requested. */
function scripted(answer: (texts: readonly string[]) => void) {
  const asked: { texts: readonly string[]; patience: Patience | undefined }[] = [];
  const vectorOf = (text: string) => Float32Array.of(text.length, 1);
  const embedder: Embedder = {
    ...lexicalEmbedder(),
    model: 'scripted',
    repeatable: false,
    async documents(texts, patience) {
      asked.push({ texts, patience });
      answer(texts);
      return texts.map(vectorOf);
    },
    async query(text) {
      asked.push({ texts: [text], patience: undefined });
      answer([text]);
      return vectorOf(text);
    },
  };
  let time = 0;
  const now = () => time;
  const forward = (ms: number) => {
    time += ms;
  };
  return { embedder, asked, embedding: embeddingOf(embedder, now), now, forward };
}

const away = () => {
  throw new EmbedderAway('away');
};

// @covers JOB-EMBEDDER-AWAY
test('while the embedder is away no memory waits for it, and it is asked again after growing pauses', async () => {
  let fails = true;
  const { asked, embedding, forward } = scripted(() => fails && away());
  expect(await embedding.soon(['a'])).toEqual({ model: withoutVectors, vectors: [] });
  expect(asked).toEqual([{ texts: ['a'], patience: 'brief' }]);
  expect(await embedding.isReady()).toBe(false);
  expect(asked).toHaveLength(1);
  for (const pause of [500, 1000, 2000, 4000, 5000, 5000]) {
    forward(pause - 1);
    expect(await embedding.isReady()).toBe(false);
    const { length } = asked;
    forward(1);
    expect(await embedding.soon(['b'])).toEqual({ model: withoutVectors, vectors: [] });
    expect(await embedding.isReady()).toBe(false);
    expect(asked.slice(length)).toEqual([{ texts: [expect.any(String)], patience: 'brief' }]);
  }
  expect(embedding.health().fault).toBe('away');
  fails = false;
  forward(5000);
  expect(await embedding.isReady()).toBe(true);
  expect(await embedding.soon(['cc'])).toEqual({ model: 'scripted', vectors: [Float32Array.of(2, 1)] });
  expect(embedding.health()).toEqual({ fault: null, embedded: 1, refused: 0 });
});

test('a server that asks for a longer pause gets it, up to a minute', async () => {
  for (const [asks, gets] of [
    [5000, 5000],
    [3_600_000, 60_000],
  ] as const) {
    const { asked, embedding, forward } = scripted(() => {
      throw new EmbedderAway('busy', asks, true);
    });
    await embedding.soon(['a']);
    forward(gets - 1);
    await embedding.isReady();
    expect(asked).toHaveLength(1);
    forward(1);
    await embedding.isReady();
    expect(asked).toHaveLength(2);
  }
});

// @covers JOB-TEXT-REFUSED
test('texts that are refused alone are found out, and the rest get their vectors', async () => {
  const { asked, embedding } = scripted((texts) => {
    if (texts.some((text) => text.startsWith('bad'))) throw new TextsRefused('400');
  });
  const texts = ['a', 'bb', 'bad', 'ccc', 'dddd', 'bad too'];
  // Others wait for these, so what is refused is left to the background, and is no outage.
  expect(await embedding.soon(texts)).toEqual({ model: withoutVectors, vectors: [] });
  expect(await embedding.isReady()).toBe(true);
  const { model, vectors } = await embedding.inTime(texts);
  expect(model).toBe('scripted');
  expect(vectors.map((vector) => vector?.[0] ?? null)).toEqual([1, 2, null, 3, 4, null]);
  expect(asked.length).toBeLessThan(16);
});

test('a server that refuses every text is away, and no text is to blame', async () => {
  const { asked, embedding } = scripted(() => {
    throw new TextsRefused('400');
  });
  await expect(embedding.inTime(['a', 'b'])).rejects.toThrow(EmbedderAway);
  expect(asked).toHaveLength(2);
  expect(embedding.health().fault).toBe('400');
});

// @covers JOB-REEMBED
test('a model counts as replaced when every answer has the same other size for a while', async () => {
  const expectAfter = async (seconds: number, seen: boolean) => {
    let size: number | null = null;
    const { embedding, forward } = scripted(() => {
      if (size !== null) throw new OtherSize(size, 8);
    });
    if (seen) await embedding.soon(['a']);
    size = 16;
    await embedding.soon(['a']);
    for (let second = 0; second < seconds; second += 1) {
      expect(embedding.newSize()).toBe(null);
      forward(1000);
      await embedding.isReady();
    }
    expect(embedding.newSize()).toBe(16);
    size = 24;
    forward(60_000);
    await embedding.isReady();
    expect(embedding.newSize()).toBe(null);
    size = null;
    forward(5000);
    expect([await embedding.isReady(), embedding.newSize()]).toEqual([true, null]);
  };
  await expectAfter(5, false);
  // A process that has seen the right size waits longer, because its settings have not changed.
  await expectAfter(60, true);
});

test('a fault of the service itself is no outage of the embedder', async () => {
  const { embedding } = scripted(() => {
    throw new Error('a mistake');
  });
  await expect(embedding.soon(['a'])).rejects.toThrow('a mistake');
  expect(embedding.health().fault).toBe(null);
});

// @covers SEARCH-EMBEDDER-HANGS
test('queries are not sent while the last ones were not answered, and one is after a pause', async () => {
  let fails = true;
  const { embedder, asked, now, forward } = scripted(() => fails && away());
  const queries = queryEmbedding(embedder, { info: () => undefined, warn: () => undefined }, now);
  const ask = () => queries.vectorOf('q', new Map());
  for (let i = 0; i < 3; i += 1) expect([queries.isAway(), await ask()]).toEqual([false, null]);
  expect([queries.isAway(), await ask(), asked.length]).toEqual([true, null, 3]);
  forward(5001);
  expect(queries.isAway()).toBe(false);
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([null, null, null]);
  expect(asked).toHaveLength(4);
  fails = false;
  forward(5001);
  expect(await ask()).toEqual(Float32Array.of(1, 1));
});

test('a query that the embedder refuses keeps the vectors from no other', async () => {
  const { embedder } = scripted(([text]) => {
    if (text === 'bad') throw new TextsRefused('400');
  });
  const queries = queryEmbedding(embedder, { info: () => undefined, warn: () => undefined });
  for (let i = 0; i < 5; i += 1) expect(await queries.vectorOf('bad', new Map())).toBe(null);
  expect(await queries.vectorOf('q', new Map())).not.toBe(null);
});
