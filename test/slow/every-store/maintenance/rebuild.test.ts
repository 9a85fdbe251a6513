import { afterAll, beforeAll, expect, test } from 'vitest';
import { memoryProjection } from '../../../../projections/memory/projection.js';
import { each, type Projection } from '../../../../projections/projection.js';
import { rebuild } from '../../../../src/maintenance/rebuild.js';
import { fromLedger } from '../../../../src/maintenance/rebuildable.js';
import { faultsOf } from '../../../maintenance/faults-of.js';
import { fill, model, models, newStore, type Store } from '../../../maintenance/store.js';

let store: Store;
beforeAll(async () => {
  store = await newStore();
});
afterAll(() => store.close());

const quiet = { onProgress: () => undefined };
const rowsOf = (table: string) => store.sql(`select t::text as row from ${table} t order by 1`);
const schemas = () => store.sql(`select nspname from pg_namespace where nspname ~ '^(rebuild|check)_'`);

test('rebuilt tables hold the same rows as those they replace, and have the same indexes', async () => {
  await fill(store);
  const indexes = () =>
    store.sql('select indexname, indexdef from pg_indexes where schemaname = current_schema() order by 1');
  const indexesBefore = await indexes();
  for (const projection of models) {
    const before = await Promise.all(projection.tables.map(rowsOf));
    // No memory of a whole store has lost its texts; test/slow/distributed/http/lost-content.test.ts rebuilds a store that has such ones.
    if (projection.name !== 'lost') expect(before.flat().length).toBeGreaterThan(0);
    const progress: [number, number][] = [];
    await rebuild(store.database, projection, { onProgress: (done, total) => progress.push([done, total]) });
    expect(progress.at(-1)?.[0]).toBeGreaterThan(20);
    expect(progress.at(-1)?.[0]).toBe(progress.at(-1)?.[1]);
    expect(await Promise.all(projection.tables.map(rowsOf))).toEqual(before);
    expect(await faultsOf(projection, store.database)).toBeNull();
  }
  expect(await indexes()).toEqual(indexesBefore);
  expect(await schemas()).toEqual([]);
});

test('writes, deletes and reads continue while a read model is rebuilt, and none of them is lost', async () => {
  const { caller, ids } = await fill(store, 1500);
  let rebuilding = true;
  const added: string[] = [];
  const writer = (async () => {
    for (let i = 0; rebuilding || i < 20; i += 1) {
      added.push(await store.add(caller, `written during the replay ${i}`));
      const old = ids.pop();
      if (old) await store.remove(caller, old);
      const [row] = await store.sql<{ n: number }>('select count(*) as n from memories where id = any($1::uuid[])', [
        added,
      ]);
      expect(row?.n).toBe(added.length);
    }
  })();
  for (let i = 0; i < 3; i += 1) await rebuild(store.database, model('memory'), quiet);
  rebuilding = false;
  await writer;
  const [row] = await store.sql<{ n: number }>('select count(*) as n from memories where id = any($1::uuid[])', [
    added,
  ]);
  expect(row?.n).toBe(added.length);
  expect(await faultsOf(model('memory'), store.database)).toBeNull();
});

test('a replay that was killed is started over, and of two at once the later wins', async () => {
  await store.sql('create schema rebuild_memory');
  await store.sql('create table rebuild_memory.memories (id uuid)');
  const before = await rowsOf('memories');
  const [first, second] = await Promise.allSettled([
    rebuild(store.database, model('memory'), quiet),
    rebuild(store.database, model('memory'), quiet),
  ]);
  expect([first?.status, second?.status]).toContain('fulfilled');
  expect(await rowsOf('memories')).toEqual(before);
  expect(await schemas()).toEqual([]);
});

test('a read model that refuses an entry leaves the old rows and nothing else', async () => {
  const before = await rowsOf('memories');
  const broken: Projection = {
    ...memoryProjection,
    fold: each({ 'memory.write': (tx) => tx.query('insert into memories (id) values (null)') }),
  };
  await expect(rebuild(store.database, fromLedger(broken), quiet)).rejects.toThrow(/null value/);
  expect(await rowsOf('memories')).toEqual(before);
  expect(await schemas()).toEqual([]);
});

test('a new version takes the place of the old one and is on record', async () => {
  const next: Projection = {
    ...memoryProjection,
    version: memoryProjection.version + 1,
    ddl: memoryProjection.ddl.replace('size bigint not null,', 'size bigint not null, -- one more index\n'),
  };
  await rebuild(store.database, fromLedger(next), quiet);
  expect(await store.sql(`select version from projections where name = 'memory'`)).toEqual([{ version: next.version }]);
  await rebuild(store.database, model('memory'), quiet);
  expect(await store.sql(`select version from projections where name = 'memory'`)).toEqual([
    { version: memoryProjection.version },
  ]);
});

test('a memory deleted and written again in one batch replays', async () => {
  const caller = await store.openWorkspace();
  const id = await store.add(caller, 'the same again');
  const [, again] = await Promise.all([store.remove(caller, id), store.add(caller, 'the same again')]);
  expect(again).not.toBe(id);
  expect(await faultsOf(model('memory'), store.database)).toBeNull();
});
