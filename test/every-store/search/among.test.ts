import { afterAll, beforeAll, expect, test } from 'vitest';
import { filterSql } from '../../../projections/memory/filter-sql.js';
import type { Value } from '../../../src/database/database.js';
import type { Caller } from '../../../src/domain/caller.js';
import { readFilter } from '../../../src/domain/filters.js';
import { newStore, type Store } from '../../maintenance/store.js';

let store: Store;
let caller: Caller;

const manyKeys = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`key${i}`, i]));
const metadata = [
  ...['{"n": 1}', '{"n": 1.0, "topic": "a"}', '{"n": "1"}', '{"n": null}', '{"n": true}', '{"n": [1]}', '{}'],
  ...[
    '{"topic": "a"}',
    '{"topic": "b", "n": 2}',
    '{"topic": "é \\u0000"}',
    '{"": 0}',
    '{"a.b": 5}',
    '{"a": {"b": 5}}',
  ].map((text) => text.replace('\\u0000', '⏎')),
  JSON.stringify(manyKeys),
];

beforeAll(async () => {
  store = await newStore();
  caller = await store.openWorkspace();
  await Promise.all(metadata.map((text, i) => store.add(caller, `memory ${i}`, text)));
  const gone = await store.add(caller, 'deleted again', '{"n": 1, "topic": "a"}');
  await store.remove(caller, gone);
}, 60_000);
afterAll(() => store.close());

/** The memories that pass, looked for among all and among those that an index gives. */
async function passing(given: Record<string, unknown>, agentId?: string) {
  const filter = filterSql(readFilter(given), agentId);
  const params: Value[] = [caller.namespaceIds];
  const bind = (value: Value) => `$${params.push(value)}`;
  const condition = filter(bind);
  const [first, ...others] = filter.among.map((list) => list(bind, '$1::uuid[]'));
  const among = first && [first, ...others].map((list) => `m.seq in (${list})`).join(' and ');
  const from = `from memories m where m.namespace_id = any($1::uuid[]) and ${condition}`;
  const ids = async (sql: string) => (await store.sql<{ id: string }>(sql, params)).map(({ id }) => id);
  return {
    byCondition: await ids(`select m.id::text ${from} ${among ? `and (true or ${among})` : ''} order by 1`),
    byIndex: among ? await ids(`select m.id::text ${from} and ${among} order by 1`) : null,
  };
}

test.each([
  [{ metadata: { n: 1 } }, 2],
  [{ metadata: { n: { eq: 1.0 } } }, 2],
  [{ metadata: { n: { in: [1, 'x', null] } } }, 3],
  [{ metadata: { n: 1, topic: 'a' } }, 1],
  [{ all: [{ metadata: { topic: 'a' } }, { metadata: { n: { gte: 1 } } }] }, 1],
  [{ metadata: { topic: 'é ⏎' } }, 1],
  [{ metadata: { '': 0 } }, 1],
  // A dot is a part of a key, and no step into an object.
  [{ metadata: { 'a.b': 5 } }, 1],
  [{ metadata: { 'a.b': { in: [5, 6], exists: true } } }, 1],
  [{ metadata: { a: 5 } }, 0],
  [{ metadata: { b: 5 } }, 0],
  [{ metadata: { key99: 99 } }, 1],
  [{ metadata: { key3: 4 } }, 0],
  [{ metadata: { n: 7 } }, 0],
  [{ source: 'test' }, metadata.length],
  [{ source: ['nowhere', 'test'], metadata: { n: 1 } }, 2],
  [{ source: 'nowhere' }, 0],
  [{ any: [{ metadata: { topic: 'a' } }, { metadata: { n: 2 } }, { source: 'nowhere' }] }, 3],
  [{ any: [{ source: 'test', metadata: { n: { in: [1, 2] } } }, { all: [{ metadata: { n: true } }] }] }, 4],
  [{ any: [{ metadata: { n: 1 } }], metadata: { topic: 'a' } }, 1],
])('an index gives all that pass %j', async (filter, count) => {
  const { byCondition, byIndex } = await passing(filter);
  expect(byIndex).toEqual(byCondition);
  expect(byCondition).toHaveLength(count);
});

test('the agent that wrote a memory is looked up too', async () => {
  expect((await passing({}, 'agent')).byIndex).toHaveLength(metadata.length);
  expect((await passing({}, 'another')).byIndex).toEqual([]);
});

test('conditions that no index knows are left to be compared', async () => {
  for (const filter of [
    { metadata: { n: { ne: 1 } } },
    { not: [{ metadata: { n: 1 } }] },
    { any: [{ source: 'test' }, { metadata: { n: { exists: true } } }] },
  ]) {
    expect((await passing(filter)).byIndex).toBeNull();
  }
});

test('nothing of a deleted memory stays among the terms', async () => {
  const orphan = await store.sql(
    'select 1 from memory_terms t where not exists (select 1 from memories m where m.id = t.memory_id)',
  );
  expect(orphan).toEqual([]);
});
