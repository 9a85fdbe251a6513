import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filterSql } from '../../projections/memory/filter-sql.js';
import type { SearchDocument } from '../../projections/search/document.js';
import {
  type Match,
  matchingMemories,
  type SearchCache,
  type SearchIndex,
  searchCache,
  type Writing,
} from '../../projections/search/queries.js';
import type { Caller } from '../../src/domain/caller.js';
import { readFilter } from '../../src/domain/filters.js';
import { bm25 } from '../../src/domain/rank/rank.js';
import { searchDocuments } from '../../src/workers/indexing.js';
import { newStore, type Store } from '../maintenance/store.js';
import { embeddingOf } from '../support/embedding.js';
import { approverOf, contentOf, filters, kindOf } from './corpus.js';
import { type ExactDocument, exactBm25, exactCosines } from './exact.js';
import { embedder, find, foundByVector, foundByWords, type Searching, vectorArm } from './finding.js';

/** An index under test, on the database that has the memories. */
export interface OpenedIndex {
  readonly index: SearchIndex;
  /** Resolves when the index answers by all that was put and removed. */
  current(): Promise<void>;
}

interface Written extends ExactDocument {
  readonly n: number;
}

/** The behaviour of every search index, no matter what it is made of: see projections/search/search-index.ts. */
export function searchIndexContract(name: string, open: (store: Store, cache: SearchCache) => OpenedIndex): void {
  describe(`search index: ${name}`, () => {
    const cache = searchCache();
    const written: Written[] = [];
    let store: Store;
    let caller: Caller;
    let opened: OpenedIndex;
    let textConfig = '';
    let next = 0;

    beforeAll(async () => {
      store = await newStore();
      caller = await store.openWorkspace();
      const configs = await store.sql<{ text_config: string }>('select text_config from namespaces');
      textConfig = configs[0]?.text_config ?? '';
      opened = open(store, cache);
      const documents = await admit(150);
      await opened.index.put(documents.slice(0, 100), writing());
      await Promise.all(documents.slice(100).map((document) => opened.index.put([document], writing())));
      await opened.current();
    }, 120_000);
    afterAll(() => store.close());

    /** Writes memories, and makes what is put into an index of them. */
    async function admit(count: number, text: (n: number) => string = contentOf): Promise<SearchDocument[]> {
      const numbers = Array.from({ length: count }, () => next++);
      const memories = await Promise.all(
        numbers.map(async (n) => ({
          memoryId: await addApproved(n, text(n)),
          namespaceId: caller.namespaceIds[0] ?? '',
          textConfig,
          content: text(n),
        })),
      );
      const documents = await searchDocuments(memories, embeddingOf(embedder).soon);
      for (const [i, { memoryId, chunks }] of documents.entries()) {
        const n = numbers[i] ?? -1;
        written.push({ n, memoryId, text: text(n), vectors: chunks.map(({ vector }) => vector) });
      }
      return documents;
    }

    async function addApproved(n: number, text: string): Promise<string> {
      const id = await store.add(caller, text, JSON.stringify({ n, kind: kindOf(n) }));
      await store.sql('update memories set approved_by = $2 where id = $1', [id, approverOf(n)]);
      return id;
    }

    /** The right to all work, one transaction for each step. */
    function writing(): Writing {
      return {
        step: (work) => store.database.transaction(work),
        last: (_ids, work) => store.database.transaction((tx) => work(tx, () => true)),
      };
    }

    async function remove(memoryIds: readonly string[]): Promise<void> {
      for (const id of memoryIds) {
        await store.remove(caller, id);
        written.splice(
          written.findIndex(({ memoryId }) => memoryId === id),
          1,
        );
      }
      expect(await opened.index.remove(memoryIds, writing())).toBe(true);
      await opened.current();
    }

    const searching = (): Searching => ({ database: store.database, index: opened.index, cache, caller });
    const byWords = (words: readonly string[], given = {}, limit = 500) =>
      foundByWords(searching(), words, given, limit);
    const byVector = (vector: Float32Array, given = {}, limit = 500) =>
      foundByVector(searching(), vector, given, limit);

    /** Which memories a list shows, in its order. */
    async function listed(q: string, given = {}, passes: (n: number) => boolean = () => true): Promise<Match[]> {
      const tree = readFilter(given);
      const passing = new Set(written.filter(({ n }) => passes(n)).map(({ memoryId }) => memoryId));
      const list = {
        filter: { tree },
        condition: filterSql(tree, undefined),
        shown: async (found: readonly Match[]) => found.filter(({ memoryId }) => passing.has(memoryId)),
      };
      return store.database.read(async (tx) => {
        const all: Match[] = [];
        const query = { namespaceIds: caller.namespaceIds, q, beforeSeq: null };
        const pages = matchingMemories(tx, { index: opened.index, cache }, query, list);
        for await (const some of pages) all.push(...some);
        return all;
      });
    }

    const idsOf = (documents: readonly { readonly memoryId: string }[]) =>
      documents.map(({ memoryId }) => memoryId).sort();
    const holding = (word: string) => written.filter(({ text }) => text.split(' ').includes(word));
    const queryVector = (text: string) => embedder.query(text, new Map());

    function expectSame(found: ReadonlyMap<string, number>, expected: ReadonlyMap<string, number>): void {
      expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
      for (const [id, score] of found) expect(Math.abs(score - (expected.get(id) ?? -1))).toBeLessThan(1e-6);
    }

    test.each(filters)('finds by words all that passes the filter, with its score: %s', async (_, given, passes) => {
      const passing = new Set(written.filter(({ n }) => passes(n)).map(({ memoryId }) => memoryId));
      for (const words of [['oak'], ['elm', 'fir'], ['rowan', 'ash', 'n7']]) {
        const expected = [...exactBm25(written, words, bm25)].filter(([id]) => passing.has(id));
        expectSame(await byWords(words, given), new Map(expected));
      }
    });

    test.each(filters)('finds by vectors the nearest that pass the filter: %s', async (_, given, passes) => {
      const passing = written.filter(({ n }) => passes(n));
      for (const text of ['oak and elm', 'rowan n7', 'willow willow pine']) {
        const vector = await queryVector(text);
        const exact = exactCosines(passing, vector);
        const nearest = [...exact].sort(([, a], [, b]) => b - a).slice(0, 10);
        // As many as a search asks for, of which the first ten are looked at.
        const found = new Map([...(await byVector(vector, given, 50))].slice(0, 10));
        expect(found.size).toBe(nearest.length);
        for (const [id, score] of found) expect(Math.abs(score - (exact.get(id) ?? -1))).toBeLessThan(1e-6);
        const worst = nearest.at(-1)?.[1] ?? 0;
        const good = [...found].filter(([, score]) => score >= worst - 1e-6).length;
        expect(good).toBeGreaterThanOrEqual(0.95 * nearest.length - 0.5);
      }
    });

    test.each(
      filters,
    )('lists what a web query matches and the filter allows pass, newest first: %s', async (_, given, passes) => {
      const has = (word: string) => (text: string) => text.split(' ').includes(word);
      const queries: [string, (text: string) => boolean][] = [
        ['oak', has('oak')],
        ['oak elm', (text) => has('oak')(text) && has('elm')(text)],
        ['oak or larch', (text) => has('oak')(text) || has('larch')(text)],
        ['"fir ash"', (text) => text.includes('fir ash')],
        ['pine -oak', (text) => has('pine')(text) && !has('oak')(text)],
        ['-pine', (text) => !has('pine')(text)],
      ];
      for (const [q, matches] of queries) {
        const found = await listed(q, given, passes);
        expect(idsOf(found)).toEqual(idsOf(written.filter(({ n, text }) => passes(n) && matches(text))));
        const seqs = found.map(({ seq }) => seq);
        expect(seqs).toEqual(seqs.toSorted((a, b) => b - a));
      }
    });

    test('finds a document from its last step on, and not in part before', async () => {
      const [document] = await admit(
        1,
        (n) => `maple n${n} ${Array.from({ length: 9000 }, (_, i) => `w${i}`).join(' ')}`,
      );
      if (!document) throw new Error('there is no document');
      const failing: Writing = {
        ...writing(),
        last: (_ids, work) =>
          store.database.transaction(async (tx) => {
            await work(tx, () => true);
            throw new Error('the process was killed');
          }),
      };
      await expect(opened.index.put([document], failing)).rejects.toThrow('killed');
      await opened.current();
      expect((await byWords(['maple'])).size + (await listed('maple')).length).toBe(0);
      expect(await opened.index.put([document], writing())).toBe(true);
      await opened.current();
      expect([...(await byWords(['maple'])).keys()]).toEqual([document.memoryId]);
      expect(idsOf(await listed('maple'))).toEqual([document.memoryId]);
      await remove([document.memoryId]);
    });

    test('puts nothing where the caller has lost the right to it', async () => {
      const [kept, lost] = await admit(2, (n) => `hazel n${n}`);
      if (!kept || !lost) throw new Error('there are no documents');
      const right: Writing = {
        ...writing(),
        last: (_ids, work) => store.database.transaction((tx) => work(tx, (id) => id === kept.memoryId)),
      };
      await opened.index.put([kept, lost], right);
      await opened.current();
      expect([...(await byWords(['hazel'])).keys()]).toEqual([kept.memoryId]);
      await opened.index.put([lost], { ...writing(), step: async () => false, last: async () => false });
      await opened.current();
      expect(idsOf(await listed('hazel'))).toEqual([kept.memoryId]);
      await remove([kept.memoryId, lost.memoryId]);
    });

    test('puts a document again instead of the one before', async () => {
      const before = await byWords(['oak', 'n3']);
      const again = await searchDocuments(
        written.slice(0, 5).map(({ memoryId, text }) => ({
          memoryId,
          namespaceId: caller.namespaceIds[0] ?? '',
          textConfig,
          content: text,
        })),
        embeddingOf(embedder).soon,
      );
      await opened.index.put(again, writing());
      await opened.current();
      expectSame(await byWords(['oak', 'n3']), before);
    });

    test('removes deleted memories whole, also when it is asked twice or for what it does not know', async () => {
      const gone = idsOf(await admit(30, (n) => `juniper oak n${n}`));
      const kept = await byWords(['oak']);
      await remove(gone);
      expect(await opened.index.remove([...gone, '01900000-0000-7000-8000-000000000000'], writing())).toBe(true);
      await opened.current();
      expect((await byWords(['juniper'])).size + (await listed('juniper')).length).toBe(0);
      expect(idsOf(holding('oak'))).toEqual([...(await byWords(['oak'])).keys()].sort());
      expectSame(await byWords(['oak']), kept);
    });

    test('gives the places it is requested, in order, and fewer only when there are no more', async () => {
      await find(
        searching(),
        {},
        vectorArm(caller, await queryVector('oak')),
        async (_tx, { byVector: candidates }) => {
          if (!candidates) throw new Error('the arm has not run');
          const found = await candidates();
          const few = await found.choose(20);
          expect(few).toHaveLength(20);
          expect((await found.choose(40)).slice(0, 20)).toEqual(few);
          const odd = await found.choose(10_000, { few: undefined, has: (seq) => seq % 2 === 1 });
          expect(odd.every(({ seq }) => seq % 2 === 1)).toBe(true);
          expect(odd.length).toBeGreaterThan(50);
        },
      );
    });

    test('is ready when all that was put can be found by vectors of the model', async () => {
      const { namespaceIds } = caller;
      const ready = (model: string) => store.database.read((tx) => opened.index.ready(tx, namespaceIds, model));
      expect([await ready(embedder.model), await ready('a model of no one')]).toEqual([true, false]);
    });
  });
}
