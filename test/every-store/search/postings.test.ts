import { describe, expect, it } from 'vitest';
import { termOf } from '../../../projections/search/blocks.js';
import { bucketOf } from '../../../projections/search/buckets.js';
import { findWords, type Word } from '../../../projections/search/postings.js';
import { searchCache } from '../../../projections/search/queries.js';
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

  /** The number of documents with each of these words, and how often the postings were read for it. */
  async function counted(cache: ReturnType<typeof searchCache>, words: readonly string[], namespaceId = first) {
    let reads = 0;
    const frequencies = await store.transaction(async (tx) => {
      const noting: Transaction = {
        ...tx,
        query: (sql, values) => {
          if (sql.includes('search_postings')) reads += 1;
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
    return { frequencies, reads };
  }

  it('are used while their namespace has not changed, also for another word of a bucket and for one without documents', async () => {
    await write(notes);
    const cache = searchCache();
    const words = ['red', 'lamp', 'nothing'];
    expect(await counted(cache, words)).toEqual({ frequencies: [2, 2, 0], reads: 2 });
    expect(await counted(cache, words)).toEqual({ frequencies: [2, 2, 0], reads: 0 });
    expect(await counted(cache, ['red'])).toEqual({ frequencies: [2], reads: 0 });
  });

  it('are listed again after a write, and after a removal, and no block is read that has not changed', async () => {
    await write(notes);
    const cache = searchCache();
    await counted(cache, ['red']);
    const more: Memory[] = [{ n: 4, namespaceId: first, text: 'red kite' }];
    await write(more);
    expect(await counted(cache, ['red'])).toEqual({ frequencies: [3], reads: 2 });
    await store.remove(notes.slice(0, 1));
    expect(await counted(cache, ['red'])).toEqual({ frequencies: [2], reads: 2 });
    await store.transaction((tx) =>
      tx.query('update search_namespaces set documents = documents where namespace_id = $1', [first]),
    );
    expect(await counted(cache, ['red'])).toEqual({ frequencies: [2], reads: 1 });
    expect(await counted(cache, ['red'])).toEqual({ frequencies: [2], reads: 0 });
  });

  it('of one namespace are used although another one has changed', async () => {
    await write(notes);
    const cache = searchCache();
    await counted(cache, ['red']);
    const other: Memory[] = [{ n: 9, namespaceId: second, text: 'red door' }];
    await write(other);
    expect(await counted(cache, ['red'])).toEqual({ frequencies: [2], reads: 0 });
    expect((await counted(cache, ['red'], second)).frequencies).toEqual([1]);
  });

  it('of a namespace without documents are not kept', async () => {
    const cache = searchCache();
    expect(await counted(cache, ['red'])).toEqual({ frequencies: [0], reads: 1 });
    await write(notes);
    expect(await counted(cache, ['red'])).toMatchObject({ frequencies: [2] });
  });
});
