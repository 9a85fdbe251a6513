import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isRebuilding, rebuildLeft } from '../../../../projections/search/queries.js';
import { createVault } from '../../../../src/commands/vault.js';
import type { Database } from '../../../../src/database/database.js';
import type { Caller } from '../../../../src/domain/caller.js';
import type { Prepare } from '../../../../src/domain/prepared.js';
import { prepareModels } from '../../../../src/maintenance/prepare-models.js';
import { rebuild } from '../../../../src/maintenance/rebuild.js';
import { prepareInSlices } from '../../../../src/workers/indexing.js';
import { onlyOwner } from '../../../../src/workers/lease.js';
import type { Job } from '../../../../src/workers/loop.js';
import { rebuildingSearch } from '../../../../src/workers/rebuilding-search.js';
import { removing } from '../../../../src/workers/removing.js';
import { faultsOf } from '../../../maintenance/faults-of.js';
import { model, models, newStore, type Store } from '../../../maintenance/store.js';
import { builtIn as embedding } from '../../../support/embedding.js';

let store: Store;
let caller: Caller;
beforeEach(async () => {
  store = await newStore();
  caller = await store.openWorkspace();
});
afterEach(() => store.close());

const going = new AbortController().signal;
const log = pino({ level: 'silent' });

/** The worker of a process that has just started. A step that it does not come to is what a kill leaves undone. */
function worker(other: { readonly database?: Database; readonly prepare?: Prepare } = {}): Job {
  const vault = createVault(() => undefined);
  const parts = { database: store.database, embedding, prepare: prepareInSlices(), vault, log, owner: onlyOwner };
  return rebuildingSearch({ ...parts, unembedded: () => undefined, ...other });
}

/** The start of a version whose index is another one than that of the version that made the store. */
async function upgrade(): Promise<void> {
  await store.sql(`update projections set version = version - 1 where name = 'search'`);
  await prepareModels(store.database, models, log);
}

const left = () => store.database.read(rebuildLeft);
const documents = async () =>
  new Set((await store.sql<{ id: string }>('select memory_id::text as id from search_documents')).map(({ id }) => id));

async function finish(): Promise<void> {
  const job = worker();
  for (let steps = 0; (await left()) !== null; steps += 1) {
    if (steps > 100) throw new Error('the rebuild does not come to an end');
    await job.work(going);
  }
  await job.work(going);
}

/** The rows of each table of the index. */
const rows = () =>
  Promise.all(model('search').tables.map((table) => store.sql(`select t::text as row from ${table} t order by 1`)));

async function expectAsFromTheLog(): Promise<void> {
  expect(await faultsOf(model('search'), store.database)).toBeNull();
  const built = await rows();
  expect(built.flat().length).toBeGreaterThan(0);
  await rebuild(store.database, model('search'), { onProgress: () => undefined });
  expect(await rows()).toEqual(built);
}

async function write(count: number, text: string): Promise<string[]> {
  const ids = [];
  for (let i = 0; i < count; i += 1) ids.push(await store.add(caller, `${text} ${i}`));
  await store.ingest();
  return ids;
}

test('an index of another version is emptied by the start, and filled from the newest memory on', async () => {
  const ids = await write(150, 'a note of the harbour');
  await upgrade();
  expect([await left(), (await documents()).size]).toEqual([150, 0]);
  expect(await store.database.read((tx) => isRebuilding(tx, caller.workspaceId))).toBe(true);
  expect(await faultsOf(model('search'), store.database)).toBeNull();
  await worker().work(going);
  const first = await documents();
  expect(first).toEqual(new Set(ids.slice(-first.size)));
  expect(first.size).toBeLessThan(150);
  expect(await left()).toBe(150 - first.size);
  await finish();
  expect((await documents()).size).toBe(150);
  await expectAsFromTheLog();
});

test('what is written, deleted and moved meanwhile is as in an index that was built from the log', async () => {
  const ids = await write(200, 'a note of the harbour');
  const [long = ''] = [await store.add(caller, Array.from({ length: 4000 }, (_, i) => `crane${i}`).join(' '))];
  await store.ingest();
  await upgrade();
  await worker().work(going);
  const [missing = '', alsoMissing = ''] = ids;
  const indexed = ids.at(-1) ?? '';
  expect((await documents()).has(indexed)).toBe(true);
  expect((await documents()).has(missing)).toBe(false);
  for (const id of [missing, indexed, long]) await store.remove(caller, id);
  const fresh = await write(1, 'written meanwhile');
  await worker().work(going);
  await store.remove(caller, alsoMissing);
  await finish();
  // Of a long memory that was deleted another worker takes apart what is hidden.
  await removing(store.database, onlyOwner).work(going);
  const found = await documents();
  for (const id of [missing, alsoMissing, indexed, long]) expect(found.has(id)).toBe(false);
  expect(found).toEqual(new Set([...ids.slice(2, -1), ...fresh]));
  expect(await store.sql('select 1 from search_texts where memory_id = $1', [indexed])).toEqual([]);
  await expectAsFromTheLog();
});

test('a memory that is moved between the reading and the writing of a slice is indexed where it is', async () => {
  const [id = ''] = await write(1, 'a note of the harbour');
  const other = await store.openWorkspace();
  const [elsewhere = ''] = other.namespaceIds ?? [];
  await upgrade();
  // The texts are prepared after they were read and before they are written.
  const prepare: Prepare = async (content) => {
    await store.sql('update memories set namespace_id = $2 where id = $1', [id, elsewhere]);
    return prepareInSlices()(content);
  };
  expect(await worker({ prepare }).work(going)).toBe(false);
  expect((await documents()).size).toBe(0);
  await finish();
  expect(await store.sql('select namespace_id::text as id from search_documents')).toEqual([{ id: elsewhere }]);
});

test('a kill in the middle of a long memory and between slices costs nothing but repetition', async () => {
  await write(100, 'a note of the harbour');
  await store.add(caller, Array.from({ length: 4000 }, (_, i) => `crane${i}`).join(' '));
  await store.ingest();
  await upgrade();
  let transactions = 0;
  const database: Database = {
    ...store.database,
    async transaction(work) {
      transactions += 1;
      if (transactions > 4) throw new Error('killed');
      return store.database.transaction(work);
    },
  };
  await expect(worker({ database }).work(going)).rejects.toThrow('killed');
  expect(await store.sql(`select 1 from search_documents where model = ''`)).toHaveLength(1);
  await finish();
  expect((await documents()).size).toBe(101);
  await expectAsFromTheLog();
});

test('a replay of the index during a rebuild ends it', async () => {
  await write(100, 'a note of the harbour');
  await upgrade();
  await worker().work(going);
  await rebuild(store.database, model('search'), { onProgress: () => undefined });
  expect((await documents()).size).toBe(100);
  await finish();
  await expectAsFromTheLog();
});
