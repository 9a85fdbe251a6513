import { describe, expect, it } from 'vitest';
import { everything } from '../../../projections/search/queries.js';
import { rankedIn } from '../../search/ranked.js';
import { first, id, type Memory, useSearchStore } from '../../search/store.js';
import { stores } from '../../support/stores.js';

describe.each(stores)('on %s, the vectors of a model', () => {
  const store = useSearchStore();
  const talk: Memory[] = [
    { n: 1, namespaceId: first, text: 'harbour', vectors: [[1, 0, 0]], source: 'talk' },
    { n: 2, namespaceId: first, text: 'lantern', vectors: [[0, 1, 0]], source: 'talk' },
    // The chunk that is nearest to the query stands for the memory.
    {
      n: 3,
      namespaceId: first,
      text: 'pebble',
      vectors: [
        [0, 0, 2],
        [3, 0, 3],
      ],
    },
  ];
  const denseOf = (floor: number | null, condition = everything, query = 'nothing') =>
    store.transaction(async (tx) => {
      const asked = { query, vector: [1, 0, 0], namespaceIds: [first], condition, floor };
      const { ranked } = await rankedIn(tx, asked);
      return new Map(ranked.map(({ memoryId, dense }) => [memoryId, dense?.score]));
    });

  it('include those of the memories around a memory, by half of their weight', async () => {
    await store.remember(talk);
    await store.add(talk);
    const dense = await denseOf(null);
    expect(dense.get(id(1))).toBeCloseTo(1 / Math.hypot(1, 0.15));
    expect(dense.get(id(2))).toBeCloseTo(0.15 / Math.hypot(1, 0.15));
    expect(dense.get(id(3))).toBeCloseTo(Math.SQRT1_2);
  });

  // @covers SEARCH-FLOOR
  it('below the floor of the model make no hit without a word of the query, for vectors of that size', async () => {
    await store.remember(talk);
    await store.add(talk);
    const keep = (size: number) =>
      store.transaction((tx) => tx.query(`insert into search_floors values ('test', $1, 0.5, 3)`, [size]));
    await keep(4);
    expect([...(await denseOf(null)).keys()].sort()).toEqual([id(1), id(2), id(3)]);
    await store.transaction((tx) => tx.query('truncate search_floors'));
    await keep(3);
    expect([...(await denseOf(null)).keys()].sort()).toEqual([id(1), id(3)]);
    expect([...(await denseOf(null, everything, 'lantern')).keys()].sort()).toEqual([id(1), id(2), id(3)]);
  });

  it('lend nothing from a memory that does not pass the filter, nor without a model', async () => {
    await store.remember(talk);
    await store.add(talk);
    const dense = await denseOf(null, (value) => `m.id <> ${value(id(1))}::uuid`);
    expect([...dense.keys()]).toEqual([id(3)]);
    expect((await denseOf(0.2)).get(id(1))).toBeCloseTo(1);
  });
});
