import { describe, expect, it } from 'vitest';
import { currentSlabs } from '../../../projections/search/current-codes.js';
import { searchCache } from '../../../projections/search/queries.js';
import type { Row, Transaction, Value } from '../../../src/database/database.js';
import { first, type Memory, second, useSearchStore } from '../../search/store.js';
import { stores } from '../../support/stores.js';

const at = (n: number, namespaceId = first): Memory => ({ n, namespaceId, text: `note ${n}`, vectors: [[n, 1, 2, 3]] });

describe.each(stores)('on %s, the codes that were read before', () => {
  const store = useSearchStore();

  const write = async (memories: readonly Memory[]) => {
    await store.remember(memories);
    await store.add(memories);
  };

  /**
   * The documents with codes, and how many rows of blocks were read for them. Each read has a transaction of its own, and `beforeAnswer`
   * runs before it is answered.
   */
  async function documentsIn(
    cache: ReturnType<typeof searchCache>,
    namespaceIds: readonly string[] = [first],
    beforeAnswer: () => Promise<void> = async () => undefined,
  ) {
    let rows = 0;
    async function read<R extends Row>(sql: string, values: readonly Value[]): Promise<R[]> {
      const found = await store.transaction((tx) => tx.query<R>(sql, values));
      if (!sql.includes('search_codes')) return found;
      if (sql.includes('entries')) rows += found.length;
      await beforeAnswer();
      return found;
    }
    const reading: Transaction = { query: read, select: read, write: async () => undefined };
    const query = { namespaceIds, model: 'test', vector: Float32Array.of(1, 2, 3, 4) };
    const documents = [...(await currentSlabs(reading, cache, query)).values()].flatMap((slab) =>
      [...slab.seqs].filter((seq, row) => seq >= 0 && row < slab.rows),
    );
    return { documents: documents.sort((a, b) => a - b), rows };
  }

  /** A search that has read what is stored now, and continues when it is released. */
  async function pausedSearch(cache: ReturnType<typeof searchCache>) {
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    let ended: ReturnType<typeof documentsIn> | undefined;
    await new Promise<void>((hasRead) => {
      ended = documentsIn(cache, [first], async () => {
        hasRead();
        await isReleased;
      });
    });
    return () => {
      release();
      return ended;
    };
  }

  it('are all read once, however many there are', async () => {
    const many = Array.from({ length: 300 }, (_, i) => 128 * i + 1);
    await write(many.map((n) => at(n)));
    const cache = searchCache();
    expect(await documentsIn(cache)).toEqual({ documents: many, rows: 300 });
    expect(await documentsIn(cache)).toEqual({ documents: many, rows: 0 });
  });

  it('are read from the newest block on after a write, and after a removal only where a block has changed', async () => {
    await write([1, 2, 200, 400].map((n) => at(n)));
    const cache = searchCache();
    await documentsIn(cache);
    await write([401, 700].map((n) => at(n)));
    expect(await documentsIn(cache)).toEqual({ documents: [1, 2, 200, 400, 401, 700], rows: 2 });
    await store.remove([at(2), at(200)]);
    expect(await documentsIn(cache)).toEqual({ documents: [1, 400, 401, 700], rows: 1 });
    await write([at(3)]);
    expect(await documentsIn(cache)).toEqual({ documents: [1, 3, 400, 401, 700], rows: 1 });
    expect(await documentsIn(cache)).toEqual({ documents: [1, 3, 400, 401, 700], rows: 0 });
  });

  it('of several namespaces are brought up to date each, and those without any are left out', async () => {
    await write([at(1)]);
    const cache = searchCache();
    expect(await documentsIn(cache, [first, second])).toEqual({ documents: [1], rows: 1 });
    await write([at(500, second)]);
    expect(await documentsIn(cache, [first, second])).toEqual({ documents: [1, 500], rows: 1 });
  });

  it('have what was written before a search, although an earlier search ends later', async () => {
    await write([at(1)]);
    const cache = searchCache();
    await documentsIn(cache);
    await write([at(300)]);
    const end = await pausedSearch(cache);
    await write([at(301)]);
    expect((await documentsIn(cache)).documents).toEqual([1, 300, 301]);
    expect((await end())?.documents).toContain(300);
    expect(await documentsIn(cache)).toEqual({ documents: [1, 300, 301], rows: 0 });
  });

  it('are those after a removal, although a search that began before it ends later', async () => {
    await write([1, 300].map((n) => at(n)));
    const cache = searchCache();
    await documentsIn(cache);
    await write([at(301)]);
    const end = await pausedSearch(cache);
    await store.remove([at(1)]);
    expect((await documentsIn(cache)).documents).toEqual([300, 301]);
    await end();
    expect((await documentsIn(cache)).documents).toEqual([300, 301]);
  });

  it('are read by a search for itself when others have changed them again and again', async () => {
    await write([at(1)]);
    const cache = searchCache();
    await documentsIn(cache);
    let n = 300;
    await write([at(n)]);
    const found = await documentsIn(cache, [first], async () => {
      n += 1;
      await store.remove([at(n - 1)]);
      await write([at(n)]);
      if (n < 306) await documentsIn(cache);
    });
    expect(found.documents).toContain(1);
    expect((await documentsIn(cache)).documents).toEqual([1, n]);
  });
});
