import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replaceVectors } from '../../../projections/search/models.js';
import { blockSize } from '../../../projections/search/posting-list.js';
import { searchCache } from '../../../projections/search/queries.js';
import { documentsPerSeal } from '../../../projections/search/recent.js';
import { sealNamespaces } from '../../../projections/search/sealing.js';
import type { Transaction } from '../../../src/database/database.js';
import { withCodes, withWord } from '../../search/listed.js';
import { document, first, id, type Memory, second, useSearchStore } from '../../search/store.js';
import { stores } from '../../support/stores.js';

const words = ['oak', 'elm', 'ash', 'fir', 'yew'];

describe.each(stores)('on %s, the newest documents', () => {
  const store = useSearchStore();
  const sql = <T>(statement: string) => store.transaction((tx) => tx.query<Record<string, T>>(statement));
  const count = async (table: string) => (await sql(`select 1 from ${table}`)).length;
  const seal = () => store.transaction((tx) => sealNamespaces(tx, [first, second]));
  const note = (n: number, over: Partial<Memory> = {}): Memory => ({
    n,
    namespaceId: first,
    text: `${words[n % words.length]} ${n % 7 === 0 ? 'oak' : 'quay'}`,
    vectors: [[n % 5, 1, -2, 3]],
    ...over,
  });

  async function write(memories: readonly Memory[]) {
    await store.remember(memories);
    await store.addNew(memories);
  }

  const found = async (cache = searchCache()) => {
    const over = { cache, limit: 10_000 };
    const [byWords, byVectors] = [await store.keyword(['oak', 'fir'], over), await store.dense([1, 1, -2, 3], over)];
    const shown = (hits: typeof byWords) => hits.map(({ memoryId, score }) => `${memoryId} ${score.toFixed(9)}`).sort();
    return [shown(byWords), shown(byVectors)];
  };
  const idsIn = (hits: readonly string[] | undefined) => hits?.map((hit) => hit.split(' ')[0]);

  it('have a row each, are in no block, and are found like all others', async () => {
    const cache = searchCache();
    await write([note(6)]);
    expect(idsIn((await found(cache))[0])).toEqual([]);
    await write([note(7), note(300, { text: 'fir oak' }), note(301, { namespaceId: second, text: 'oak' })]);
    expect([await count('search_recent'), await count('search_postings'), await count('search_codes')]).toEqual([
      4, 0, 0,
    ]);
    const now = await found(cache);
    expect(idsIn(now[0])).toEqual([7, 300, 301].map(id));
    expect(idsIn(now[1])).toEqual([6, 7, 300, 301].map(id));
    expect(now).toEqual(await found());
    await seal();
    expect(await count('search_recent')).toBe(0);
    expect([await found(cache), await found()]).toEqual([now, now]);
  });

  it('are sealed when their block is complete and there are enough of them, as if all had been added to blocks', async () => {
    const all = Array.from({ length: 2 * documentsPerSeal }, (_, i) => note(3 * i + 1));
    const cache = searchCache();
    await write(all.slice(0, documentsPerSeal));
    await found(cache);
    // 64 documents of one block, which is not complete.
    expect([await count('search_postings'), await count('search_recent')]).toEqual([0, documentsPerSeal]);
    await write(all.slice(documentsPerSeal, -1));
    expect(await count('search_postings')).toBe(0);
    await write(all.slice(-1));
    const left = all.filter(({ n }) => n >= blockSize);
    expect(await sql('select seq from search_recent order by 1')).toEqual(left.map(({ n }) => ({ seq: n })));
    expect(await sql('select sealed from search_namespaces')).toEqual([{ sealed: blockSize - 1 }]);
    expect(await sql('select distinct block from search_postings')).toEqual([{ block: 0 }]);
    expect(await found(cache)).toEqual(await found());
    await seal();
    const contents = await store.contents();
    expect(await found(cache)).toEqual(await found());
    await store.empty();
    await store.remember(all);
    await store.add(all);
    expect(await store.contents()).toEqual(contents);
  });

  /** Each statement is a transaction of its own, and `before` runs before it. */
  const reading = (before: (statement: string) => Promise<void>): Transaction => {
    const query: Transaction['query'] = async (statement, values) => {
      await before(statement);
      return store.transaction((tx) => tx.query(statement, values));
    };
    return { query, select: query, write: async () => undefined };
  };

  it.each([
    ['search_postings', (tx: Transaction, cache: ReturnType<typeof searchCache>) => withWord(tx, cache, 'oak')],
    ['search_codes', withCodes],
  ])('are there once for a search that reads %s a moment later, although they were sealed meanwhile', async (table, read) => {
    const note = (n: number): Memory => ({ n, namespaceId: first, text: 'oak', vectors: [[n, 1, 2, 3]] });
    const old = [1, 2].map(note);
    await store.remember(old);
    await store.add(old);
    const plain = reading(async () => undefined);
    const behind = searchCache();
    expect(await read(plain, behind)).toEqual([1, 2]);
    await write([14, 400].map(note));
    let n = 500;
    for (const cache of [searchCache(), behind]) {
      let isMeanwhile = true;
      const interrupted = reading(async (statement) => {
        if (!isMeanwhile || !statement.includes(`from ${table}`)) return;
        isMeanwhile = false;
        await seal();
        n += 1;
        await write([note(n)]);
      });
      const seen = await read(interrupted, cache);
      expect([isMeanwhile, new Set(seen).size]).toEqual([false, seen.length]);
      expect(seen.filter((seq) => seq <= 500)).toEqual([1, 2, 14, 400]);
      expect(
        await read(
          reading(async () => undefined),
          cache,
        ),
      ).toEqual(
        await read(
          reading(async () => undefined),
          searchCache(),
        ),
      );
    }
  });

  it('are found, sealed and removed in any order as if they had always been in blocks', async () => {
    const action = fc.oneof(
      fc.record({
        kind: fc.constant('write' as const),
        size: fc.integer({ min: 1, max: 4 }),
        gap: fc.nat({ max: 90 }),
      }),
      fc.record({ kind: fc.constantFrom('later', 'job', 'remove', 'vector', 'seal'), at: fc.nat() }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 12 }), async (actions) => {
        await store.empty();
        const cache = searchCache();
        let next = 1;
        let there: Memory[] = [];
        const waiting: Memory[] = [];
        const newNote = (gap: number) => {
          next += 1 + gap;
          return note(next, { namespaceId: next % 3 === 0 ? second : first });
        };
        for (const one of actions) {
          if ('gap' in one) {
            const some = Array.from({ length: one.size }, () => newNote(one.gap));
            await write(some);
            there.push(...some);
          } else if (one.kind === 'later') {
            const some = newNote(one.at % 40);
            await store.remember([some]);
            waiting.push(some);
          } else if (one.kind === 'job') {
            const some = waiting.splice(0, 1);
            await store.add(some);
            there.push(...some);
          } else if (one.kind === 'seal') await seal();
          else if (there.length > 0) {
            const picked = there[one.at % there.length];
            if (!picked) throw new Error('there is one');
            if (one.kind === 'remove') {
              there = there.filter((other) => other !== picked);
              await store.remove([picked]);
            } else {
              const changed = { ...picked, vectors: [[one.at % 9, 2, 2, -1]] };
              there = there.map((other) => (other === picked ? changed : other));
              await replaceVectors([document(changed)], store.transaction);
            }
          }
          const now = await found(cache);
          expect(now).toEqual(await found());
          expect(idsIn(now[1])).toEqual(there.map(({ n }) => id(n)).sort());
        }
        await seal();
        const contents = await store.contents();
        await store.empty();
        await store.remember(there);
        await store.add(there);
        expect(await store.contents()).toEqual(contents);
      }),
      { numRuns: 8 },
    );
  });
});
