import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { project } from '../../../../projections/all.js';
import { matchingMemories } from '../../../../projections/search/queries.js';
import { leftAmong } from '../../../../projections/search/removal.js';
import { tables } from '../../../../projections/search/tables.js';
import { realWorld } from '../../../../src/base/world.js';
import { addMemory } from '../../../../src/commands/add-memory.js';
import { deleteMemory } from '../../../../src/commands/delete-memory.js';
import { createNamespace, moveMemories } from '../../../../src/commands/namespaces.js';
import { createRun } from '../../../../src/commands/run.js';
import { stateLoader } from '../../../../src/commands/state/state.js';
import type { Database } from '../../../../src/database/database.js';
import type { Caller } from '../../../../src/domain/caller.js';
import { databaseLedger } from '../../../../src/ledger/engines/database.js';
import { fsck } from '../../../../src/maintenance/fsck.js';
import { createWorker } from '../../../../src/workers/loop.js';
import { createRemoved, removeAllLeft, removing, removingLease } from '../../../../src/workers/removing.js';
import { faultsOf } from '../../../maintenance/faults-of.js';
import { model, models, newStore, type Store } from '../../../maintenance/store.js';
import { searchedWith } from '../../../search/searched.js';
import { repeats } from '../../../support/repeats.js';

let store: Store;
let caller: Caller;
beforeAll(async () => {
  store = await newStore();
  caller = await store.openWorkspace();
  await store.add(caller, 'wort0 wort1 wort2 and a heron');
  await store.ingest();
}, 60_000);
afterAll(() => store.close());

/** Some 45 kB: 5,000 words of its own in two parts, and as many chunks as take several steps. */
const sentence = Array.from({ length: 5000 }, (_, n) => `wort${n}${n % 12 === 11 ? '.' : ''}`).join(' ');
const large = (name: string): string => `${name} ${sentence}. Again ${name}.`;

const quiet = { onProgress: () => undefined };
/** How many rows each table has, and what stands for all of them. */
const contents = () =>
  Promise.all(
    tables.map((table) =>
      store.sql(
        `select '${table}' as name, count(*) as rows, md5(string_agg(t::text, ' ' order by t::text)) as hash from ${table} t`,
      ),
    ),
  );
const contentsOfMemories = () =>
  store.sql(`select v.receipt_id from vault v join memories m on m.receipt_id = v.receipt_id order by 1`);
const faults = () => faultsOf(model('search'), store.database);
const isLeft = async (id: string) => (await store.database.read((tx) => leftAmong(tx, [id]))).length > 0;
const me = realWorld.nonce();

async function indexed(name: string): Promise<string> {
  const id = await store.add(caller, large(name));
  await store.ingest();
  return id;
}

/** Which memories a list by a word shows, of all namespaces. */
async function found(word: string): Promise<string[]> {
  const namespaces = await store.sql<{ id: string }>('select id::text from namespaces');
  return store.database.read(async (tx) => {
    const ids: string[] = [];
    const query = { namespaceIds: namespaces.map(({ id }) => id), q: word, beforeSeq: null };
    const pages = matchingMemories(tx, searchedWith(), query);
    for await (const page of pages) ids.push(...page.map(({ memoryId }) => memoryId));
    return ids;
  });
}

/** The store's database, which is lost before its `last`-th transaction, and reports how many there were. */
function killedBefore(last: number): { database: Database; count(): number } {
  let transactions = 0;
  return {
    database: {
      ...store.database,
      async transaction(work) {
        transactions += 1;
        if (transactions >= last) throw new Error('killed');
        return store.database.transaction(work);
      },
    },
    count: () => transactions,
  };
}

const removeWith = (database: Database) => removeAllLeft(database, removingLease(database, me));

/** Commands by a writer of its own, which counts what is requested in the transaction that appends. */
function counted() {
  const statements: string[] = [];
  const watched: Database = {
    ...store.database,
    transaction: (work) =>
      store.database.transaction((tx) =>
        work({
          query: (sql, params) => {
            statements.push(sql);
            return tx.query(sql, params);
          },
          select: (sql, params) => {
            statements.push(sql);
            return tx.select(sql, params);
          },
          write: (sql, params) => {
            statements.push(sql);
            return tx.write(sql, params);
          },
        }),
      ),
  };
  const run = createRun(databaseLedger(watched, project), stateLoader(store.database, realWorld.now), realWorld);
  return { run, statements };
}

test('a large memory is found no more when it is deleted, and its lists are not touched in that transaction', async () => {
  const id = await indexed('bulky');
  expect(await found('bulky')).toEqual([id]);
  const { run, statements } = counted();
  await run(caller.workspaceId, deleteMemory(realWorld, caller, id));
  expect(statements.filter((sql) => /search_(postings|texts|vectors|codes)/.test(sql))).toEqual([]);
  expect(await found('bulky')).toEqual([]);
  expect(await found('wort1')).toHaveLength(1);
  expect(await isLeft(id)).toBe(true);
  const [counts] = await store.sql('select documents, length from search_namespaces');
  expect(counts).toEqual({ documents: 1, length: 4 });
  // The files have forgotten the text by now, and have to forget the words as well.
  await store.sql('delete from erased');
  await removeWith(store.database);
  expect(await isLeft(id)).toBe(false);
  expect(await store.sql('select 1 from erased')).toHaveLength(1);
});

test('killed before any step, the next process removes the rest, and what is left is no fault', async () => {
  const before = await contents();
  const stored = await contentsOfMemories();
  const whole = killedBefore(Number.POSITIVE_INFINITY);
  await store.remove(caller, await indexed('counted'));
  await removeWith(whole.database);
  expect(whole.count()).toBeGreaterThan(12);
  for (let n = 1; n <= whole.count(); n += repeats('KILL_STEP')) {
    const id = await indexed(`killed ${n}`);
    await store.remove(caller, id);
    expect(await contentsOfMemories()).toEqual(stored);
    await expect(removeWith(killedBefore(n).database)).rejects.toThrow('killed');
    if (n % 5 === 1) expect((await fsck(store.database, models, quiet)).faults).toBeNull();
    await removeWith(store.database);
    expect(await contents()).toEqual(before);
  }
  expect(await faults()).toBeNull();
}, 300_000);

test('many memories that are deleted in one step are removed a few at a time', async () => {
  const before = await contents();
  const ids = await Promise.all(Array.from({ length: 60 }, (_, n) => store.add(caller, `one of many, number ${n}`)));
  await store.ingest();
  await store.approvals(caller, ids);
  expect(await found('many')).toEqual([]);
  const { database, count } = killedBefore(Number.POSITIVE_INFINITY);
  await removeWith(database);
  expect(count()).toBeGreaterThanOrEqual(3);
  expect(await contents()).toEqual(before);
});

test('of two processes one removes, and the other takes over when the lease of a lost one has run out', async () => {
  const id = await indexed('contested');
  await store.remove(caller, id);
  const lost = removingLease(store.database, realWorld.nonce());
  expect(await lost.take()).toBe(true);
  await removeWith(store.database);
  expect(await isLeft(id)).toBe(true);
  await store.sql(`update leases set until = now() - interval '1 second' where name = 'removing'`);
  await removeWith(store.database);
  expect(await isLeft(id)).toBe(false);
  await lost.drop();
});

test('a caller waits until nothing is left of what it has deleted', async () => {
  const log = pino({ level: 'silent' });
  const worker = createWorker({ world: realWorld, log }, removing(store.database, me));
  worker.start();
  const id = await indexed('waited for');
  await store.remove(caller, id);
  await createRemoved(store.database, realWorld, worker.wake)([id]);
  expect(await isLeft(id)).toBe(false);
  await worker.stop();
  expect(await faults()).toBeNull();
});

async function newNamespace(name: string): Promise<string> {
  return (await store.run(caller.workspaceId, createNamespace(realWorld, caller, name))).id;
}

test('a large memory that is moved is indexed again by its job, wherever the steps are cut off', async () => {
  const [here, there] = [await newNamespace('here'), await newNamespace('there')];
  const mover = { ...caller, namespaceIds: [...caller.namespaceIds, here, there] };
  const add = async (content: string) =>
    (await store.run(caller.workspaceId, addMemory(realWorld, mover, written(content, here)))).memory_id;
  const move = (id: string, from: string, to: string) =>
    store.run(caller.workspaceId, moveMemories(realWorld, mover, from, to, [id]));
  const [small, id] = [await add('a little one that is moved'), await add(large('moved'))];
  await store.ingest();
  expect(await move(small, here, there)).toBe(1);
  expect(await found('little')).toEqual([small]);
  for (let n = 0; n < 6; n += 1) {
    const [from, to] = n % 2 === 0 ? [here, there] : [there, here];
    expect(await move(id, from, to)).toBe(1);
    expect(await found('moved')).toEqual([small]);
    expect(await store.sql('select stage from jobs where memory_id = $1', [id])).toEqual([{ stage: 'queued' }]);
    if (n > 0) await expect(removeWith(killedBefore(3 * n).database)).rejects.toThrow('killed');
    // There and back, before its job has gone on with it.
    if (n > 3) {
      await move(id, to, from);
      await move(id, from, to);
    }
    if (n === 5) expect(await faults()).toBeNull();
    await store.ingest();
    expect((await found('moved')).toSorted()).toEqual([small, id].toSorted());
    expect(await faults()).toBeNull();
  }
  await store.remove(mover, id);
  await store.remove(mover, small);
  await removeWith(store.database);
  expect((await fsck(store.database, models, quiet)).faults).toBeNull();
}, 120_000);

const written = (content: string, namespace: string) => ({
  content,
  namespace,
  metadata: '{}',
  source: null,
  label: null,
  sensitive: {},
  playground: false,
  approvalId: undefined,
});
