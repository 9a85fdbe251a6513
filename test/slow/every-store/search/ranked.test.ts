import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filterSql } from '../../../../projections/memory/filter-sql.js';
import { moveDocuments } from '../../../../projections/search/move.js';
import { searchCache } from '../../../../projections/search/queries.js';
import type { Step } from '../../../../projections/search/step.js';
import { addInSteps, finishDocument } from '../../../../projections/search/steps.js';
import { tables } from '../../../../projections/search/tables.js';
import { readFilter } from '../../../../src/domain/filters.js';
import type { Ranked } from '../../../../src/domain/rank/why.js';
import { type Asking, rankedIn } from '../../../search/ranked.js';
import { document, id, type Memory, namespaces, useSearchStore } from '../../../search/store.js';
import { repeats } from '../../../support/repeats.js';

/** Random stores and searches of agent ann, in the first two of three namespaces. */
const store = useSearchStore();
const searched = namespaces.slice(0, 2);
/** @param reinstated how often memories were reinstated: what is kept of who fails the filter is not used after that */
const conditionOf = (reinstated = 0) => filterSql(readFilter({}), 'ann', undefined, reinstated);

/** Spelt alike, inside of runs, folded, cut, and such as change a rank. */
const vocabulary = [
  'harbour harbor harbours harborus harboured lisboa lisbao lisbon crane cranes quay creme crème maria leo',
  '/srv/quay/crane.conf ABC-123 abc123 a94a8fe5ccb1 v16.4.2 C++ 40GB yesterday tidetable tide_table sign-in',
].flatMap((line) => line.split(' '));
const [word, asked] = [
  fc.constantFrom(...vocabulary),
  fc.constantFrom(...vocabulary, 'a94a8fe', '16', 'lisbaa', 'when', 'May 2023', '2026'),
];
const text = fc
  .tuple(
    fc.constantFrom('', '', 'Maria: ', 'Leo: '),
    fc.array(word, { minLength: 1, maxLength: 8 }),
    fc.constantFrom('', '', '?'),
  )
  .map(([speaker, words, end]) => `${speaker}${words.join(' ')}${end}`);
const vector = fc.array(fc.integer({ min: -3, max: 9 }), { minLength: 4, maxLength: 4 });
const query = fc.record({
  query: fc.array(asked, { minLength: 1, maxLength: 6 }).map((words) => words.join(' ')),
  vector,
});

type Asked = typeof query extends fc.Arbitrary<infer T> ? T : never;

const anyMemory = fc.record({
  text,
  vectors: fc.array(vector, { maxLength: 2 }),
  place: fc.constantFrom<Pick<Memory, 'source' | 'run'>>(
    {},
    { source: 's' },
    { source: 's' },
    { source: 't' },
    { run: 'r' },
  ),
  speaker: fc.constantFrom(undefined, undefined, 'Maria', 'Leo', 'user'),
  date: fc.constantFrom(undefined, undefined, '2023-05-08', 'someday'),
  namespaceId: fc.constantFrom(...searched),
});
type Written = typeof anyMemory extends fc.Arbitrary<infer T> ? T : never;
const memoryOf = (n: number, { place, ...rest }: Written): Memory => ({ n, agent: 'ann', ...rest, ...place });

/** Why a memory is not in the answer; null for one that may be. */
const outside = fc.constantFrom<Partial<Memory> | null>(
  ...[null, null, null, { agent: 'bob' }, { playground: true }, { invalidated: true }],
  { namespaceId: namespaces[2] ?? '' },
);

async function fill(memories: readonly Memory[]): Promise<void> {
  await store.empty();
  await store.remember(memories);
  await store.add(memories);
}

const ask = (asking: Pick<Asking, 'query' | 'vector' | 'weigh'>, cache = searchCache(), reinstated = 0) =>
  store.transaction((tx) =>
    rankedIn(tx, { ...asking, namespaceIds: searched, condition: conditionOf(reinstated) }, cache),
  );

/** The same weight in both stores: how rare a word is also depends on what others have written. */
const still: Asking['weigh'] = (one) => ({ ...one, idf: 1 + (one.word.length % 3) });

const lengths = () =>
  store.transaction((tx) => tx.query<{ seq: number; length: number }>('select seq, length from search_documents'));

const often = { numRuns: repeats('RANKED_STORES') };

test('memories outside of the answer change no hit, rank, score or weight', async () => {
  const some = fc.array(fc.record({ one: anyMemory, outside }), { minLength: 2, maxLength: 16 });
  const check = async (all: { one: Written; outside: Partial<Memory> | null }[], asking: Asked) => {
    const memories = all.map(({ one, outside: how }, i) => ({ ...memoryOf(i + 1, one), ...how }));
    await fill(memories);
    const found = await ask({ ...asking, weigh: still });
    const length = new Map((await lengths()).map((row) => [row.seq, row.length]));
    const replaced = memories.map((memory, i): Memory => {
      if (all[i]?.outside === null) return memory;
      const { n, namespaceId, agent, playground = false, invalidated = false } = memory;
      const own = Array(length.get(n) ?? 0)
        .fill('zyx')
        .join(' ');
      return { n, namespaceId, playground, invalidated, text: own, ...(agent === undefined ? {} : { agent }) };
    });
    await fill(replaced);
    expect(found).toEqual(await ask({ ...asking, weigh: still }));
  };
  await fc.assert(fc.asyncProperty(some, query, check), often);
}, 3_600_000);

test('a memory that may be returned takes no other hit away', async () => {
  const some = fc.array(anyMemory, { minLength: 1, maxLength: 12 });
  const check = async (all: Written[], one: Written, at: number, asking: Asked) => {
    const memories = all.map((each, i) => memoryOf(2 * i + 2, each));
    const added = memoryOf(2 * (at % (all.length + 1)) + 1, one);
    await fill(memories);
    const before = await ask(asking);
    await store.remember([added]);
    await store.add([added]);
    const after = new Set((await ask(asking)).ranked.map(({ memoryId }) => memoryId));
    expect(before.ranked.filter(({ memoryId }) => !after.has(memoryId))).toEqual([]);
  };
  await fc.assert(fc.asyncProperty(some, anyMemory, fc.nat(), query, check), often);
}, 3_600_000);

/** In several blocks, so that what is in memory is continued and not only read as a whole. */
const number = fc.integer({ min: 1, max: 14 }).map((n) => 90 * n);

const step = fc.record({
  action: fc.constantFrom(
    'add',
    'add',
    'add in steps',
    'add in steps',
    'delete',
    'move',
    'invalidate',
    'reinstate',
    'rebuild',
  ),
  memories: fc.uniqueArray(fc.record({ n: number, one: anyMemory }), {
    minLength: 1,
    maxLength: 6,
    selector: ({ n }) => n,
  }),
});
type Played = typeof step extends fc.Arbitrary<infer T> ? T : never;

const inSteps: Step = (work) => store.transaction(work);

async function addSlowly(memories: readonly Memory[]): Promise<void> {
  for (const memory of memories) {
    const added = await addInSteps(document(memory), inSteps);
    if (added) await store.transaction((tx) => finishDocument(tx, document(memory), added));
  }
}

const update = (there: Map<number, Memory>, numbers: readonly number[], change: string, over: Partial<Memory>) => {
  for (const n of numbers) {
    const memory = there.get(n);
    if (memory) there.set(n, { ...memory, ...over });
  }
  return store.transaction((tx) =>
    tx.query(`update memories set ${change} where id = any($1::uuid[])`, [numbers.map(id)]),
  );
};

/** Changes the store, and `there` in the same way. A number is not used again. */
async function play(there: Map<number, Memory>, gone: Set<number>, { action, memories }: Played): Promise<void> {
  const numbers = memories.map(({ n }) => n);
  const known = numbers.flatMap((n) => there.get(n) ?? []);
  if (action.startsWith('add')) {
    const added = memories.filter(({ n }) => !there.has(n) && !gone.has(n)).map(({ n, one }) => memoryOf(n, one));
    await store.remember(added);
    await (action === 'add' ? store.add(added) : addSlowly(added));
    for (const memory of added) there.set(memory.n, memory);
  } else if (action === 'delete') {
    await store.remove(known);
    await store.transaction((tx) => tx.query(`delete from vault where receipt_id = any($1)`, [numbers.map(id)]));
    await store.transaction((tx) => tx.query(`delete from memories where id = any($1::uuid[])`, [numbers.map(id)]));
    for (const { n } of known) gone.add(n);
    for (const { n } of known) there.delete(n);
  } else if (action === 'move') {
    const [namespaceId = ''] = memories.map(({ one }) => one.namespaceId);
    await update(there, numbers, `namespace_id = '${namespaceId}'`, { namespaceId });
    await store.transaction((tx) => moveDocuments(tx, numbers.map(id)));
  } else if (action === 'rebuild') {
    await store.transaction((tx) => tx.query(`truncate ${tables.join(', ')}`));
    for (const memory of there.values()) await store.add([memory]);
  } else {
    const invalidated = action === 'invalidate';
    await update(there, numbers, `invalidated = ${invalidated}`, { invalidated });
  }
}

const seen = (ranked: readonly Ranked[]) => ranked.map(({ memoryId, score }) => ({ memoryId, score }));

test('how a memory came to where it is changes no rank', async () => {
  const some = fc.array(step, { minLength: 2, maxLength: 10 });
  const check = async (steps: Played[], asking: Asked) => {
    await store.empty();
    const there = new Map<number, Memory>();
    const cache = searchCache();
    const gone = new Set<number>();
    for (const [i, one] of steps.entries()) {
      await play(there, gone, one);
      await ask(asking, cache, i);
    }
    const [found, again] = [await ask(asking), await ask(asking, cache, steps.length)];
    expect(seen(again.ranked)).toEqual(seen(found.ranked));
    await fill([...there.values()].sort((a, b) => a.n - b.n));
    expect(found).toEqual(await ask(asking));
  };
  await fc.assert(fc.asyncProperty(some, query, check), often);
}, 3_600_000);
