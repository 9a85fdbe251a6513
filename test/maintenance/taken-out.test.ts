import { afterAll, beforeAll, expect, test } from 'vitest';
import { setBackJobs } from '../../projections/ingest/jobs.js';
import { removeDocuments } from '../../projections/search/queries.js';
import { fsck } from '../../src/maintenance/fsck.js';
import { fill, models, newStore, type Store } from './store.js';

let store: Store;
let ids: string[];
beforeAll(async () => {
  store = await newStore();
  ({ ids } = await fill(store));
}, 60_000);
afterAll(() => store.close());

const check = () => fsck(store.database, models, { onProgress: () => undefined });

test('memories that were taken out of the index to be deleted come back when they are not', async () => {
  const some = ids.slice(0, 3);
  const now = new Date();
  await store.database.transaction(async (tx) => {
    await setBackJobs(tx, some, now, now);
    await removeDocuments(tx, some);
  });
  const indexed = 'select 1 from search_documents where memory_id = any($1::uuid[])';
  expect(await store.sql(indexed, [some])).toHaveLength(0);
  expect((await check()).faults).toBeNull();
  await store.ingest();
  expect(await store.sql(indexed, [some])).toHaveLength(3);
  expect((await check()).faults).toBeNull();
});
