import { expect, it } from 'vitest';
import { searchCache } from '../../projections/search/queries.js';
import { documentsPerSeal } from '../../projections/search/recent.js';
import { withCodes, withWord } from '../search/listed.js';
import { first, type Memory, useSearchStore } from '../search/store.js';

const store = useSearchStore();

const note = (n: number): Memory => ({ n, namespaceId: first, text: 'oak', vectors: [[n, 1, 2, 3]] });
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);

async function write(seqs: readonly number[]) {
  await store.remember(seqs.map(note));
  await store.addNew(seqs.map(note));
}

// A search on a replica, for example, after one on the primary.
it.each([
  ['words', (...[tx, cache]: Parameters<typeof withCodes>) => withWord(tx, cache, 'oak')],
  ['vectors', withCodes],
])('a search of an earlier time finds by %s what there was, although documents were sealed that a later one knows', async (_, read) => {
  const earlier = numbers(1, 10);
  await write(earlier);
  const cache = searchCache();
  await store.transaction(async (old) => {
    await old.query('set transaction isolation level repeatable read');
    expect(await old.query('select seq from search_recent')).toHaveLength(earlier.length);
    const later = numbers(250, documentsPerSeal);
    await write(later);
    expect(await store.transaction((tx) => read(tx, cache))).toEqual([...earlier, ...later]);
    const unread = searchCache();
    unread.recent.set(first, cache.recent.get(first) ?? expect.fail('it is there'), 1000);
    // A transaction reads a state once: each of these is one of its own to the search.
    expect(await read({ ...old }, searchCache())).toEqual(earlier);
    const seen = await read({ ...old }, cache);
    expect(seen.filter((n) => n <= 10)).toEqual(earlier);
    expect(await read({ ...old }, unread)).toEqual(earlier);
    await write([400]);
    for (const one of [cache, unread]) {
      expect(await store.transaction((tx) => read(tx, one))).toEqual([...earlier, ...later, 400]);
    }
  });
});
