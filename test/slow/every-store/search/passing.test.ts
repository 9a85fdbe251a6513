import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Filter, type Hit, searchCache, segmentsOf } from '../../../../projections/search/queries.js';
import { first, id, type Memory, namespaces, useSearchStore, vector } from '../../../search/store.js';

const store = useSearchStore();

/** A filter as searches give it, of which is kept what fails it. */
function filterOf(agent: string, more: Partial<Pick<Filter, 'among' | 'range'>> = {}): Filter {
  return Object.assign((bind: Parameters<Filter>[0]) => `m.agent_id = ${bind(agent)}`, { key: agent, ...more });
}

const byIndex = (agent: string): Filter =>
  filterOf(agent, {
    among: [
      (bind, ids) => `select seq from memories where namespace_id = any(${ids}) and agent_id = ${bind(agent)}`,
      (bind, ids) => `select seq from memories where namespace_id = any(${ids}) and seq >= ${bind(0)}`,
    ],
  });

const agents = ['ann', 'bob', 'cid'];
const step = fc.record({
  n: fc.integer({ min: 1, max: 40 }).map((i) => i * 701),
  action: fc.constantFrom('add', 'add', 'remove', 'move'),
  namespaceId: fc.constantFrom(...namespaces),
  vectors: fc.array(vector, { minLength: 1, maxLength: 2 }),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Everything that is written where, as the store has it. */
async function play(there: Map<number, Memory>, { n, action, namespaceId, vectors }: Step) {
  const old = there.get(n);
  if (old) await store.remove([old]);
  there.delete(n);
  await store.transaction((tx) => tx.query('delete from memories where id = $1', [id(n)]));
  if (action === 'remove') return;
  const memory = { n, namespaceId, vectors, text: `oak ${'elm '.repeat(n % 5)}`, agent: agents[n % 3] ?? '' };
  // A memory that moves takes its number along, and all that filters ask for.
  await store.remember([memory]);
  await store.add([memory]);
  there.set(n, memory);
}

const numbers = (hits: readonly Hit[]): number[] => hits.map(({ seq }) => seq);

describe('what is kept of who fails a filter', () => {
  test('makes no difference to any answer, no matter what is written, moved and removed in between', async () => {
    const check = async (steps: Step[]) => {
      await store.empty();
      const cache = searchCache();
      const there = new Map<number, Memory>();
      for (const one of steps) {
        await play(there, one);
        const passing = [...there.values()].filter(({ agent }) => agent === 'ann');
        for (const filter of [filterOf('ann'), byIndex('ann'), filterOf('ann', { range: { first: 0, end: 28_041 } })]) {
          for (const limit of [1, 3, 50]) {
            const kept = await store.keyword(['oak'], { filter, limit, cache });
            const again = await store.keyword(['oak'], { filter, limit, cache: searchCache() });
            // Of memories with equal scores either may be among the first.
            expect(kept.map(({ score }) => score)).toEqual(again.map(({ score }) => score));
            expect(numbers(kept).filter((n) => there.get(n)?.agent !== 'ann')).toEqual([]);
            expect(kept).toHaveLength(Math.min(limit, passing.length));
            const near = numbers(await store.dense(Array(12).fill(1), { filter, limit, cache }));
            expect(near).toHaveLength(Math.min(limit, passing.filter((memory) => hasVectors(memory)).length));
          }
        }
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), check), { numRuns: 5 });
  }, 120_000);

  test('is requested once, however often the same filter comes', async () => {
    const memories = Array.from({ length: 300 }, (_, i) => ({
      n: i + 1,
      namespaceId: namespaces[0] ?? '',
      text: 'oak',
      vectors: [[...Array(11).fill(0), i]],
      agent: i === 0 ? 'rare' : 'other',
    }));
    await store.remember(memories);
    await store.add(memories);
    let asked = 0;
    const filter: Filter = Object.assign(
      (bind: Parameters<Filter>[0]) => {
        asked += 1;
        return `m.agent_id = ${bind('rare')}`;
      },
      { key: 'rare' },
    );
    const cache = searchCache();
    expect(numbers(await store.keyword(['oak'], { filter, limit: 5, cache }))).toEqual([1]);
    const once = asked;
    expect(once).toBeGreaterThan(1);
    expect(numbers(await store.keyword(['oak'], { filter, limit: 5, cache }))).toEqual([1]);
    expect(asked).toBe(once);
    // Of a new version of the namespace only the memories are looked up that are not known to fail.
    await store.add(memories.slice(0, 1));
    expect(numbers(await store.keyword(['oak'], { filter, limit: 5, cache }))).toEqual([1]);
    expect(asked).toBe(once + 1);
  });

  test('is known of a memory that was read as one around another', async () => {
    const memories = ['oak', 'elm', 'ash'].map((text, i) => ({ n: i + 1, namespaceId: first, text, source: 'talk' }));
    await store.remember(memories);
    await store.add(memories);
    let asked = 0;
    const filter: Filter = Object.assign(
      () => {
        asked += 1;
        return 'm.seq <> 3';
      },
      { key: 'not the third' },
    );
    const cache = searchCache();
    const hit = { memoryId: id(1), namespaceId: first, seq: 1 };
    const [segment] = await store.transaction((tx) => segmentsOf(tx, cache, [hit], 1, filter));
    expect(segment?.memories.map(({ seq }) => seq)).toEqual([1, 2]);
    const before = asked;
    expect(numbers(await store.keyword(['elm'], { filter, cache }))).toEqual([2]);
    expect(asked).toBe(before);
    expect(numbers(await store.keyword(['ash'], { filter, cache }))).toEqual([]);
    expect(asked).toBe(before + 1);
  });

  test('is not looked for among what stands out of range', async () => {
    const memories = Array.from({ length: 20 }, (_, i) => ({
      n: i + 1,
      namespaceId: namespaces[0] ?? '',
      text: 'oak',
    }));
    await store.remember(memories.map((memory) => ({ ...memory, agent: 'ann' })));
    await store.add(memories);
    const between = filterOf('ann', { range: { first: 5, end: 8 } });
    expect(numbers(await store.keyword(['oak'], { filter: between })).sort()).toEqual([5, 6, 7]);
  });
});

const hasVectors = ({ vectors = [] }: Memory): boolean => vectors.some((one) => one.some((x) => x !== 0));
