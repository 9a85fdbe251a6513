import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { neighboursOf } from '../../../../projections/search/queries.js';
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

test('neighbours are those written next in the same source or run, the nearer of two places', async () => {
  await store.remember([
    { n: 1, namespaceId: first, text: '', source: 'a' },
    { n: 2, namespaceId: first, text: '', source: 'b', run: 'r' },
    { n: 3, namespaceId: first, text: '', source: 'a', run: 'r' },
    { n: 4, namespaceId: second, text: '', source: 'a', run: 'r' },
    { n: 5, namespaceId: first, text: '', source: 'b', run: 's' },
    { n: 6, namespaceId: first, text: '', source: 'a', run: 'r' },
    { n: 7, namespaceId: first, text: '', source: 'a' },
  ]);
  const found = await store.transaction((tx) => neighboursOf(tx, [id(3), id(4)], 2));
  expect(found).toEqual([
    { memoryId: id(3), otherId: id(1), distance: 1 },
    { memoryId: id(3), otherId: id(6), distance: 1 },
    { memoryId: id(3), otherId: id(7), distance: 2 },
    { memoryId: id(3), otherId: id(2), distance: 1 },
  ]);
});
