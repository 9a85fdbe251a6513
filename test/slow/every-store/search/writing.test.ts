import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { everything, searchCache, segmentsOf } from '../../../../projections/search/queries.js';
import { corpora, first, id, second, useSearchStore } from '../../../search/store.js';

const store = useSearchStore();

describe('adding and removing', () => {
  test('removing restores every table byte for byte, and adding is the same in any order and batches', async () => {
    await fc.assert(
      fc.asyncProperty(corpora, corpora, async (before, after) => {
        const later = after.map((memory) => ({ ...memory, n: memory.n + 300 }));
        await store.empty();
        await store.remember([...before, ...later]);
        await store.add(before);
        const expected = await store.contents();
        await store.add(later);
        await store.remove(later);
        expect(await store.contents()).toEqual(expected);
        await store.remove(before);
        expect((await store.contents()).flat()).toEqual([]);
        for (const memory of [...before].reverse()) await store.add([memory]);
        await store.add(before);
        expect(await store.contents()).toEqual(expected);
      }),
      { numRuns: 15 },
    );
  }, 120_000);

  test('passes over a memory that was deleted meanwhile', async () => {
    await store.add([{ n: 1, namespaceId: first, text: 'oak', vectors: [[1, 2, 3]] }]);
    expect((await store.contents()).flat()).toEqual([]);
  });
});

test('segments have those around a memory in its source, or in its run if it has no source', async () => {
  const memories = [
    { n: 1, namespaceId: first, text: 'one', source: 'a' },
    { n: 2, namespaceId: first, text: 'two', run: 'r' },
    { n: 3, namespaceId: first, text: 'three', source: 'a', run: 'r' },
    { n: 4, namespaceId: second, text: 'four', source: 'a' },
    { n: 5, namespaceId: first, text: 'five', run: 'r' },
    { n: 6, namespaceId: first, text: 'six', source: 'a' },
    { n: 7, namespaceId: first, text: 'seven' },
  ];
  await store.remember(memories);
  await store.add(memories);
  const cache = searchCache();
  const around = async (n: number, filter = everything) => {
    const hit = { memoryId: id(n), namespaceId: n === 4 ? second : first, seq: n };
    const [segment] = await store.transaction((tx) => segmentsOf(tx, cache, [hit], 1, filter));
    return [segment?.at, segment?.memories.map(({ seq }) => seq)];
  };
  expect(await around(3)).toEqual([1, [1, 3, 6]]);
  expect(await around(2)).toEqual([0, [2, 5]]);
  expect(await around(4)).toEqual([0, [4]]);
  expect(await around(7)).toEqual([0, [7]]);
  expect(await around(6, (bind) => `m.seq <> ${bind(3)}`)).toEqual([1, [1, 6]]);
  // A memory that is not indexed yet has no place, and takes none from those behind it.
  const later = Array.from({ length: 11 }, (_, i) => ({ n: 8 + i, namespaceId: first, text: 'later', source: 'a' }));
  await store.remember(later);
  await store.add(later.filter(({ n }) => n !== 9));
  expect(await around(6)).toEqual([
    2,
    [
      1,
      3,
      6,
      8,
      ...later
        .slice(2)
        .map(({ n }) => n)
        .slice(0, 8),
    ],
  ]);
  expect(await around(9)).toEqual([undefined, undefined]);
  await store.add(later.filter(({ n }) => n === 9));
  expect(await around(6)).toEqual([2, [1, 3, 6, ...later.slice(0, 9).map(({ n }) => n)]]);
});
