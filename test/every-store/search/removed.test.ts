import { describe, expect, it } from 'vitest';
import { blockSize } from '../../../projections/search/posting-list.js';
import { searchCache } from '../../../projections/search/queries.js';
import { noteChanged } from '../../../projections/search/removal.js';
import { namespaceStates, removedSince } from '../../../projections/search/states.js';
import { first, id, type Memory, useSearchStore } from '../../search/store.js';
import { stores } from '../../support/stores.js';

describe.each(stores)('on %s, the blocks from which documents were removed', () => {
  const store = useSearchStore();
  const inBlock = (block: number, over: Partial<Memory> = {}): Memory => ({
    n: block * blockSize + 1,
    namespaceId: first,
    text: 'oak',
    ...over,
  });
  const state = async () => {
    const [found] = await store.transaction((tx) => namespaceStates({ ...tx }, searchCache(), [first]));
    if (!found) throw new Error('the namespace has nothing in the index');
    return found;
  };
  const blocksSince = async (held: Awaited<ReturnType<typeof state>>) => {
    const blocks = removedSince(held, await state());
    return blocks && [...blocks].toSorted((a, b) => a - b);
  };
  async function filled(blocks: number): Promise<readonly Memory[]> {
    const memories = Array.from({ length: blocks }, (_, block) => inBlock(block));
    await store.remember(memories);
    await store.add(memories);
    return memories;
  }

  it('are known of one removal and of several, since each of them', async () => {
    const [one, other, last] = await filled(9);
    const before = await state();
    await store.remove([one, other].filter((memory) => memory !== undefined));
    const between = await state();
    await store.remove([last].filter((memory) => memory !== undefined));
    expect(await blocksSince(before)).toEqual([0, 1, 2]);
    expect(await blocksSince(between)).toEqual([2]);
    expect(await blocksSince(await state())).toBeNull();
  });

  it('are not known any more when something else has changed, even in the same transaction', async () => {
    const memories = await filled(3);
    const before = await state();
    await store.transaction((tx) => noteChanged(tx, [id(1)]));
    await store.remove(memories.slice(0, 1));
    expect(await blocksSince(before)).toBeNull();
    // A document that is added before others was removed from its block and is in it again.
    const between = await state();
    await store.add(memories.slice(1, 2));
    expect(await blocksSince(between)).toBeNull();
  });

  it('are the last 32, so nothing is known since a removal of which some were left out', async () => {
    const memories = await filled(70);
    const before = await state();
    await store.remove(memories.slice(0, 30));
    const between = await state();
    expect(await blocksSince(before)).toHaveLength(30);
    await store.remove(memories.slice(30, 33));
    expect(await blocksSince(before)).toBeNull();
    expect(await blocksSince(between)).toEqual([30, 31, 32]);
    const later = await state();
    await store.remove(memories.slice(33, 69));
    expect(await blocksSince(later)).toBeNull();
    expect(await blocksSince(between)).toBeNull();
  });

  it('are all that searches read again of their words, and they find what a search without memory finds', async () => {
    const memories = await filled(6);
    const cache = searchCache();
    const ids = async (from = cache) => (await store.keyword(['oak'], { cache: from })).map(({ memoryId }) => memoryId);
    expect(await ids()).toHaveLength(6);
    await store.remove(memories.slice(2, 3));
    expect(await ids()).toEqual(await ids(searchCache()));
    // Its postings are gone without its removal: a search that read the block again would notice.
    await store.transaction((tx) => tx.query('delete from search_postings where block = 4'));
    await store.remove(memories.slice(0, 1));
    expect(await ids()).toHaveLength(4);
    expect(await ids(searchCache())).toHaveLength(3);
  });
});
