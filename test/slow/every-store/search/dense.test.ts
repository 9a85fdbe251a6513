import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { searchCache } from '../../../../projections/search/queries.js';
import { lexicalEmbedder } from '../../../../src/adapters/embeddings/lexical.js';
import {
  batches,
  corpora,
  first,
  id,
  type Memory,
  playBatches,
  scoresById,
  second,
  useSearchStore,
  vector,
} from '../../../search/store.js';

const store = useSearchStore();

const axis = (n: number, value = 1) => Array.from({ length: 12 }, (_, i) => (i === n ? value : 0));

const norm = (v: readonly number[]) => Math.hypot(...v);
const cosine = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0) / norm(a) / norm(b);

/** The cosine of the nearest chunk of each memory that has one with a direction. */
function reference(memories: readonly Memory[], query: readonly number[]): Map<string, number> {
  const scores = new Map<string, number>();
  for (const { n, vectors = [] } of memories) {
    const cosines = vectors.filter((v) => norm(v) > 0 && norm(query) > 0).map((v) => cosine(v, query));
    if (cosines.length > 0) scores.set(id(n), Math.max(...cosines));
  }
  return scores;
}

function expectScores(found: ReadonlyMap<string, number>, expected: ReadonlyMap<string, number>): void {
  expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
  for (const [memoryId, score] of found) expect(score).toBeCloseTo(expected.get(memoryId) ?? 9, 5);
}

describe('the dense arm', () => {
  test('gives each memory the cosine of its nearest chunk', async () => {
    await fc.assert(
      fc.asyncProperty(corpora, vector, async (memories, query) => {
        await store.empty();
        await store.remember(memories);
        await store.add(memories);
        expectScores(scoresById(await store.dense(query)), reference(memories, query));
      }),
      { numRuns: 25 },
    );
  }, 120_000);

  test.each([2, 50])('a memory of many near chunks hides none of the rest, limit %i', async (limit) => {
    const further = axis(0).map((x) => x + 0.5);
    const memories = [1, 2, 3].map((n) => ({
      n,
      namespaceId: first,
      text: 'x',
      vectors: n === 1 ? Array.from({ length: 50 * limit + 1 }, () => axis(0)) : [further],
    }));
    await store.remember(memories);
    await store.add(memories);
    const hits = await store.dense(axis(0), { limit });
    expect(hits.map(({ memoryId }) => memoryId)).toEqual([1, 2, 3].slice(0, limit).map(id));
  });

  test('keeps models and namespaces apart, and obeys the filter', async () => {
    const memories = [first, second].map((namespaceId, i) => ({
      n: i + 1,
      namespaceId,
      text: 'x',
      vectors: [axis(0)],
      agent: `agent ${i}`,
    }));
    await store.remember(memories);
    await store.add(memories);
    expect(await store.dense(axis(0), { model: 'another' })).toEqual([]);
    expect(await store.dense([...axis(0), 0])).toEqual([]);
    expect(await store.dense(axis(0), { filter: (bind) => `m.agent_id = ${bind('agent 1')}` })).toMatchObject([
      { memoryId: id(2) },
    ]);
  });
});

describe('codes that were kept', () => {
  test('sees what is written and removed after codes were kept', async () => {
    const [a, b] = [1, 2].map((n) => ({ n, namespaceId: first, text: 'x', vectors: [axis(n)] }));
    if (!a || !b) throw new Error('two memories');
    await store.remember([a, b]);
    await store.add([a]);
    expect(await store.dense(axis(1))).toMatchObject([{ memoryId: id(1) }]);
    await store.add([b]);
    expect(await store.dense(axis(2))).toMatchObject([{ memoryId: id(2) }, { memoryId: id(1) }]);
    await store.remove([b]);
    expect(await store.dense(axis(2))).toMatchObject([{ memoryId: id(1) }]);
  });

  test('make no difference to any answer, no matter what is written and removed in between', async () => {
    const cache = searchCache();
    await fc.assert(
      fc.asyncProperty(batches, vector, (steps, query) =>
        playBatches(store, steps, async (there) => {
          const hits = await store.dense(query, { cache });
          expect(hits).toEqual(await store.dense(query, { cache: searchCache() }));
          expectScores(scoresById(hits), reference(there, query));
          // These are made of the codes alone, so that a code that was left behind shows here.
          const scored = await store.denseScores(query, there, { cache });
          expect(scored).toEqual(await store.denseScores(query, there, { cache: searchCache() }));
        }),
      ),
      { numRuns: 20 },
    );
  }, 120_000);
});

describe('scores of what the other arm has found', () => {
  test('are near the cosine for the built-in embedder, also of memories beyond the limit', async () => {
    const { documents } = lexicalEmbedder();
    const sentence = fc.lorem({ mode: 'words', maxCount: 24 }).filter((text) => text.split(' ').length >= 8);
    // The same texts every time, as how often a code is off by how much is a matter of many of them.
    const texts = fc.sample(fc.array(sentence, { minLength: 1, maxLength: 3 }), { numRuns: 100, seed: 1 });
    const memories: Memory[] = [];
    for (const [i, chunks] of texts.entries()) {
      const vectors = (await documents(chunks)).map((one) => [...one]);
      memories.push({ n: 1 + 100 * i, namespaceId: i % 2 ? first : second, text: 'x', vectors });
    }
    await store.remember(memories);
    await store.add(memories);
    const errors: number[] = [];
    for (const asked of await documents(fc.sample(sentence, { numRuns: 10, seed: 2 }))) {
      const query = [...asked];
      expect(await store.dense(query, { limit: 1 })).toHaveLength(1);
      const expected = reference(memories, query);
      const scored = scoresById(await store.denseScores(query, memories, { limit: 1 }));
      expect([...scored.keys()].sort()).toEqual([...expected.keys()].sort());
      for (const [memoryId, score] of scored) errors.push(Math.abs(score - (expected.get(memoryId) ?? 9)));
    }
    errors.sort((a, b) => a - b);
    expect(errors[errors.length * 0.9]).toBeLessThan(0.02);
    expect(errors.at(-1)).toBeLessThan(0.06);
  });

  test('are missing for memories without a vector of the model', async () => {
    const [a, b, c] = [[axis(1)], [], [axis(1).slice(1)]].map((vectors, i) => ({
      n: i + 1,
      namespaceId: first,
      text: 'x',
      vectors,
    }));
    if (!a || !b || !c) throw new Error('three memories');
    await store.remember([a, b, c]);
    await store.add([a, b, c]);
    expect(await store.denseScores(axis(1), [a, b, c])).toMatchObject([{ memoryId: id(1) }]);
    expect(await store.denseScores(axis(1), [a, b, c], { model: 'another' })).toEqual([]);
    expect(await store.denseScores(axis(1, 0), [a, b, c])).toEqual([]);
  });
});
