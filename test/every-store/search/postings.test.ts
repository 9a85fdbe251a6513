import { describe, expect, it } from 'vitest';
import { termOf } from '../../../projections/search/blocks.js';
import { bucketOf } from '../../../projections/search/buckets.js';
import { findLengths, findWords, type Word } from '../../../projections/search/postings.js';
import { searchCache } from '../../../projections/search/queries.js';
import { namespaceStates } from '../../../projections/search/states.js';
import type { Row, Transaction } from '../../../src/database/database.js';
import { first, type Memory, second, useSearchStore } from '../../search/store.js';
import { stores } from '../../support/stores.js';

describe.each(stores)('on %s, the postings that were read before', () => {
  const store = useSearchStore();
  const notes: Memory[] = ['red lamp', 'red boat', 'blue lamp'].map((text, i) => ({
    n: i + 1,
    namespaceId: first,
    text,
  }));

  const write = async (memories: readonly Memory[]) => {
    await store.remember(memories);
    await store.add(memories);
  };

  /** The number of documents with each of these words, and from which block on each bucket was read for it. */
  async function counted(cache: ReturnType<typeof searchCache>, words: readonly string[], namespaceId = first) {
    const reads: unknown[] = [];
    const frequencies = await store.transaction(async (tx) => {
      const noting: Transaction = {
        ...tx,
        query: (sql, values) => {
          if (sql.includes('search_postings')) reads.push(...[values?.[1]].flat());
          return tx.query(sql, values);
        },
      };
      const asked = await tx.query<Row & Word>(
        `select $2::text as namespace_id, lexeme, term::text, ${bucketOf('term', '$2::uuid')}::text as bucket
           from (select lexeme, ${termOf('lexeme', '$2::uuid')} as term from unnest($1::text[]) w(lexeme)) w`,
        [words, namespaceId],
      );
      const found = await findWords(noting, cache, asked);
      return asked.map(({ term }) => found.get(term)?.frequency ?? 0);
    });
    return { frequencies, reads: reads.sort() };
  }

  it('are used while their namespace has not changed, also of a word without documents', async () => {
    await write(notes);
    const cache = searchCache();
    const words = ['red', 'lamp', 'nothing'];
    expect(await counted(cache, words)).toEqual({ frequencies: [2, 2, 0], reads: [0, 0, 0, 0] });
    expect(await counted(cache, words)).toEqual({ frequencies: [2, 2, 0], reads: [] });
    expect(await counted(cache, ['red'])).toEqual({ frequencies: [2], reads: [] });
  });

  it('are read from the newest block on after a write, and from the first one on after a removal', async () => {
    const many = Array.from(
      { length: 600 },
      (_, i): Memory => ({ n: i + 1, namespaceId: first, text: `red ${i % 5}` }),
    );
    await write(many);
    const cache = searchCache();
    await counted(cache, ['red']);
    await write([{ n: 601, namespaceId: first, text: 'red kite' }]);
    expect(await counted(cache, ['red'])).toEqual({ frequencies: [601], reads: [2, 2] });
    await write([800, 1300].map((n) => ({ n, namespaceId: first, text: 'red door' })));
    expect(await counted(cache, ['red', 'door'])).toEqual({ frequencies: [603, 2], reads: [0, 2, 2] });
    expect(await counted(cache, ['red', 'door'])).toEqual({ frequencies: [603, 2], reads: [] });
    await store.remove(many.slice(0, 2));
    expect(await counted(cache, ['red'])).toEqual({ frequencies: [601], reads: [0, 0] });
  });

  it('are read from the first block on when a document was added before others', async () => {
    await write([5, 700].map((n) => ({ n, namespaceId: first, text: 'red' })));
    const cache = searchCache();
    await counted(cache, ['red']);
    // A long text, for example, is in the index later than a short one that was written behind it.
    await write([{ n: 3, namespaceId: first, text: 'red' }]);
    expect(await counted(cache, ['red'])).toEqual({ frequencies: [3], reads: [0, 0] });
    await write([4, 900].map((n) => ({ n, namespaceId: second, text: 'red' })));
    expect(await counted(cache, ['red'])).toEqual({ frequencies: [3], reads: [] });
  });

  it('are read again of a namespace that was empty meanwhile', async () => {
    await write(notes);
    const cache = searchCache();
    await counted(cache, ['red', 'lamp']);
    await store.remove(notes);
    expect(await counted(cache, ['red', 'lamp'])).toEqual({ frequencies: [0, 0], reads: [] });
    await write([{ n: 9, namespaceId: first, text: 'red' }]);
    expect(await counted(cache, ['red', 'lamp'])).toEqual({ frequencies: [1, 0], reads: [0, 0, 0] });
  });

  it('have the lengths of all documents', async () => {
    await write(notes);
    const cache = searchCache();
    await counted(cache, ['red']);
    await write([{ n: 400, namespaceId: first, text: 'a boat and a red lamp' }]);
    const lengths = await store.transaction(async (tx) => {
      const [state] = await namespaceStates(tx, cache, [first]);
      return state && (await findLengths(tx, cache, state));
    });
    expect([...(lengths ?? [])].map(([block, own]) => [block, own.reduce((sum, one) => sum + one, 0)])).toEqual([
      [0, 6],
      [1, 6],
    ]);
  });

  it('of one namespace are used although another one has changed', async () => {
    await write(notes);
    const cache = searchCache();
    await counted(cache, ['red']);
    const other: Memory[] = [{ n: 9, namespaceId: second, text: 'red door' }];
    await write(other);
    expect(await counted(cache, ['red'])).toEqual({ frequencies: [2], reads: [] });
    expect((await counted(cache, ['red'], second)).frequencies).toEqual([1]);
  });

  it('of a namespace without documents are not looked for', async () => {
    const cache = searchCache();
    expect(await counted(cache, ['red'])).toEqual({ frequencies: [0], reads: [] });
    await write(notes);
    expect(await counted(cache, ['red'])).toMatchObject({ frequencies: [2] });
  });
});
