import { describe, expect, it } from 'vitest';
import { randomStream } from '../../../ops/bench/words.js';
import { estimateFloor, floorOf, isFloorDue } from '../../../projections/search/floors.js';
import { first, id, type Memory, namespaces, useSearchStore } from '../../search/store.js';
import { stores } from '../../support/stores.js';

describe.each(stores)('on %s, the floor of a model', () => {
  const store = useSearchStore();
  /** Memories with random directions in three dimensions, of which one has no vector and one has two. */
  function memories(count: number, from = 1): Memory[] {
    const random = randomStream(from);
    const vector = () => [1, 2, 3].map(() => random() - 0.5);
    return Array.from({ length: count }, (_, i) => ({
      n: from + i,
      namespaceId: namespaces[i % 2] ?? first,
      text: 'any',
      vectors: i === 3 ? [] : i === 5 ? [vector(), vector()] : [vector()],
    }));
  }
  async function write(written: readonly Memory[]): Promise<void> {
    await store.remember(written);
    await store.add(written);
  }
  const isDue = (model = 'test') => store.transaction((tx) => isFloorDue(tx, model));
  const estimate = (model = 'test') => store.transaction((tx) => estimateFloor(tx, model));
  const kept = (model = 'test', size = 3) =>
    store.transaction((tx) => floorOf(tx, { namespaceIds: [], model, vector: new Float32Array(size) }));

  // @covers SEARCH-FLOOR-ESTIMATE
  it('is estimated from a hundred memories on, kept for the model and the size, and the same each time', async () => {
    await write(memories(99));
    expect([await isDue(), await estimate(), await kept()]).toEqual([false, null, null]);
    await write(memories(21, 100));
    expect(await isDue()).toBe(true);
    const floor = await estimate();
    // The cosines of random directions in three dimensions are evenly distributed over −1 to 1.
    expect(floor).toBeGreaterThan(0.8);
    expect(floor).toBeLessThan(1);
    expect([await isDue(), await estimate(), await kept()]).toEqual([false, floor, floor]);
    expect([await kept('test', 4), await kept('another')]).toEqual([null, null]);
  });

  // @covers SEARCH-FLOOR-ESTIMATE
  it('is estimated again when the store has twice or half the memories, or for another model', async () => {
    const some = memories(120);
    await write(some);
    await estimate();
    await write(memories(119, 1000));
    expect(await isDue()).toBe(false);
    await write(memories(1, 2000));
    expect([await isDue(), await isDue('another')]).toEqual([true, true]);
    await estimate();
    await store.remove(some);
    expect(await isDue()).toBe(true);
    await estimate();
    expect(await isDue()).toBe(false);
    // Nothing has vectors of another model.
    expect([await estimate('another'), await kept()]).toEqual([null, null]);
  });

  it('does not depend on where the rows lie', async () => {
    const some = memories(500);
    await write(some);
    const floor = await estimate();
    await store.transaction((tx) =>
      tx.query('update search_documents set length = length + 1 where memory_id = $1', [id(7)]),
    );
    expect(await estimate()).toBe(floor);
    await store.remove(some);
    await store.add(some.toReversed());
    expect(await estimate()).toBe(floor);
  });
});
