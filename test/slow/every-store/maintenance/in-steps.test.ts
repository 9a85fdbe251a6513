import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { releaseAllJobs } from '../../../../projections/ingest/jobs.js';
import { everything } from '../../../../projections/search/passing.js';
import {
  databaseWriter,
  foundAmong,
  matchingMemories,
  removeDocuments,
  searchCache,
} from '../../../../projections/search/queries.js';
import { tables } from '../../../../projections/search/tables.js';
import { realWorld } from '../../../../src/base/world.js';
import { createVault } from '../../../../src/commands/vault.js';
import type { Database } from '../../../../src/database/database.js';
import type { Caller } from '../../../../src/domain/caller.js';
import { ingestBatch } from '../../../../src/workers/ingesting.js';
import { removeAllLeft, removingLease } from '../../../../src/workers/removing.js';
import { faultsOf } from '../../../maintenance/faults-of.js';
import { model, newStore, type Store } from '../../../maintenance/store.js';
import { searchedWith } from '../../../search/searched.js';
import { termsOf } from '../../../search/words.js';
import { builtIn } from '../../../support/embedding.js';
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

/** Some 90 kB: 5,000 words of its own, each twice, in four parts. */
const word = (n: number): string => `wort${n}`;
const sentence = Array.from({ length: 5000 }, (_, n) => `${word(n)}${n % 12 === 11 ? '.' : ''}`).join(' ');
const large = (name: string): string => `${name} ${sentence}. ${sentence}`;

/** The store's database, with something before each transaction that writes to the search index. */
function watched(before: (n: number) => Promise<void>): { database: Database; count(): number } {
  const { database } = store;
  let transactions = 0;
  const writes = /^\s*insert into search_/;
  return {
    database: {
      ...database,
      async transaction(work) {
        let seen = false;
        await before(transactions + 1);
        const note = (statement: string) => {
          if (seen || !writes.test(statement)) return;
          seen = true;
          transactions += 1;
        };
        return database.transaction((tx) =>
          work({
            query(statement, params) {
              note(statement);
              return tx.query(statement, params);
            },
            select: tx.select,
            write(statement, params) {
              note(statement);
              return tx.write(statement, params);
            },
          }),
        );
      },
    },
    count: () => transactions,
  };
}

const vault = createVault(() => undefined);

const ingestWith = (database: Database, owner = realWorld.nonce(), isLong = true) =>
  ingestBatch(
    {
      database,
      searchIndex: databaseWriter,
      embedding: builtIn,
      vault,
      world: realWorld,
      log: pino({ level: 'silent' }),
    },
    { owner, isLong, after: null },
  );

/** Takes the one job that waits up to before its `last`-th writing transaction, as a process does that is killed there. */
async function killedBefore(last: number): Promise<void> {
  const { database } = watched(async (n) => {
    if (n > last) throw new Error('killed');
  });
  await expect(ingestWith(database)).rejects.toThrow('killed');
  await store.database.transaction((tx) => releaseAllJobs(tx));
}

/** Deletes a memory and takes apart what it has left in the index. */
async function remove(id: string): Promise<void> {
  await store.remove(caller, id);
  await removeAllLeft(store.database, removingLease(store.database, realWorld.nonce()));
}

const contents = async () =>
  Promise.all(tables.map((table) => store.sql(`select t::text as row from ${table} t order by 1`)));
const faults = () => faultsOf(model('search'), store.database);
const begun = () => store.sql(`select 1 from search_documents where model = ''`);

/** Counted once: every test below goes through all of them. */
const steps = async (): Promise<number> => {
  const id = await store.add(caller, large('counted'));
  const { database, count } = watched(async () => undefined);
  await ingestWith(database);
  await remove(id);
  return count();
};

test('a large memory is indexed in many transactions, and small ones together in one', async () => {
  expect(await steps()).toBeGreaterThan(8);
  const ids = [await store.add(caller, 'a small one'), await store.add(caller, 'another small one')];
  const { database, count } = watched(async () => undefined);
  await ingestWith(database, realWorld.nonce(), false);
  expect(count()).toBe(1);
  for (const id of ids) await store.remove(caller, id);
});

test('killed before any step, nothing finds it, it can be deleted, and the next try ends as if nothing had been', async () => {
  const all = await steps();
  const before = await contents();
  for (let n = 1; n < all; n += repeats('KILL_STEP')) {
    const deleted = await store.add(caller, large(`deleted ${n}`));
    await killedBefore(n);
    expect(await begun()).toHaveLength(1);
    await remove(deleted);
    expect(await contents()).toEqual(before);

    const id = await store.add(caller, large(`resumed ${n}`));
    await killedBefore(n);
    await store.ingest();
    expect(await begun()).toHaveLength(0);
    expect(await faults()).toBeNull();
    await remove(id);
    expect(await contents()).toEqual(before);
  }
}, 300_000);

test('an unfinished memory is in no answer and counts for nothing', async () => {
  const all = await steps();
  const id = await store.add(caller, large('unfinished'));
  const asked = async () => {
    const cache = searchCache();
    return store.database.transaction(async (tx) => {
      const found: string[] = [];
      for await (const page of matchingMemories(tx, searchedWith(cache), {
        namespaceIds: caller.namespaceIds,
        q: 'wort1',
        beforeSeq: null,
      })) {
        found.push(...page.map(({ memoryId }) => memoryId));
      }
      const among = await foundAmong(tx, [id], everything);
      const terms = await termsOf(tx, cache, caller.namespaceIds, ['wort1']);
      return { found, among: [...among], idf: terms.map((term) => term.idf > 0) };
    });
  };
  await killedBefore(all - 1);
  const { found, among, idf } = await asked();
  expect(found).not.toContain(id);
  expect(found).toHaveLength(1);
  expect(among).toEqual([]);
  expect(idf).toEqual([true]);
  await store.ingest();
  const after = await asked();
  expect(after.found).toContain(id);
  expect(after.among).toEqual([id]);
  await remove(id);
});

test('deleted, moved or taken out between two steps, it leaves nothing, and what is still there is begun again', async () => {
  const all = await steps();
  const before = await contents();
  for (const n of [2, 5, all - 1]) {
    const id = await store.add(caller, large(`deleted meanwhile ${n}`));
    const { database } = watched(async (next) => {
      if (next === n && (await begun()).length > 0) await store.remove(caller, id);
    });
    await ingestWith(database);
    await removeAllLeft(store.database, removingLease(store.database, realWorld.nonce()));
    expect(await contents()).toEqual(before);

    const other = await store.add(caller, large(`compared meanwhile ${n}`));
    let compared = false;
    const { database: between } = watched(async (next) => {
      if (next !== n || compared) return;
      compared = true;
      expect(await faults()).toBeNull();
    });
    const owner = realWorld.nonce();
    while ((await ingestWith(between, owner)) > 0);
    expect(compared).toBe(true);
    expect(await begun()).toHaveLength(0);
    expect(await faults()).toBeNull();
    await remove(other);
    expect(await contents()).toEqual(before);
  }
}, 300_000);

test('an unfinished memory can be taken out at once', async () => {
  const before = await contents();
  const id = await store.add(caller, large('taken out'));
  await killedBefore(5);
  await store.database.transaction((tx) => removeDocuments(tx, [id]));
  expect(await contents()).toEqual(before);
  await remove(id);
});
