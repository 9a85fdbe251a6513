import { afterAll, beforeAll, expect, it } from 'vitest';
import { claimJobs } from '../../projections/ingest/claims.js';
import { passStages } from '../../projections/ingest/jobs.js';
import { realWorld } from '../../src/base/world.js';
import { newStore, type Store } from '../maintenance/store.js';

let store: Store;
beforeAll(async () => {
  store = await newStore();
});
afterAll(() => store.close());

const shuffled = <T>(list: readonly T[]): T[] =>
  list
    .map((one) => ({ one, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ one }) => one);

it('deletes and workers never wait for each other in a circle', async () => {
  const caller = await store.openWorkspace();
  for (let round = 0; round < 8; round += 1) {
    const ids = await Promise.all(Array.from({ length: 30 }, (_, n) => store.add(caller, `${round} ${n}`)));
    // A statement meets the rows in the order in which they lie in the table, and that is not the order of their ids.
    for (const id of shuffled(ids)) await store.sql('update jobs set attempts = 0 where memory_id = $1', [id]);
    const owner = realWorld.nonce();
    const bounds = { leaseMs: 60_000, isLong: false, jobs: 30, bytes: 30_000, after: null };
    const claimed = await store.database.transaction((tx) => claimJobs(tx, owner, realWorld.now(), bounds));
    const jobs = claimed.jobs.map(({ job_id }) => job_id);
    const now = realWorld.now();
    const pass = () =>
      store.database.transaction((tx) => passStages(tx, owner, shuffled(jobs), [['chunking', now]], 60_000));
    const ended = await Promise.allSettled([pass(), pass(), store.approvals(caller, ids), pass(), pass()]);
    expect(ended.filter(({ status }) => status === 'rejected')).toEqual([]);
  }
});
