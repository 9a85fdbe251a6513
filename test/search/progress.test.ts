import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginIndex, indexInState } from '../../projections/search/copies/indices.js';
import { isCaughtUp, progressOf } from '../../projections/search/copies/progress.js';
import { newStore, type Store } from '../maintenance/store.js';

let store: Store;
beforeAll(async () => {
  store = await newStore();
  const caller = await store.openWorkspace();
  await Promise.all(Array.from({ length: 25 }, (_, n) => store.add(caller, `oak ${n}`)));
  await store.ingest();
});
afterAll(() => store.close());

/** The progress of a new index whose follower lacks that number of entries of the longest chain; null if it has not begun. */
async function progressWith(left: number | null) {
  return store.database.transaction(async (tx) => {
    await tx.query('delete from search_indices');
    await beginIndex(tx, 'memories-', { version: 1, model: 'm' });
    const index = await indexInState(tx, 'building');
    if (!index) throw new Error('no index was begun');
    if (left !== null) {
      await tx.query(
        'insert into followers (name, chain, seq, fence, until) select $1, chain, head_seq - case head_seq when max(head_seq) over () then $2 else 0 end, 0, now() from chains',
        [`elasticsearch/${index.number}`, left],
      );
    }
    return { ...(await progressOf(tx, index)), isCaughtUp: await isCaughtUp(tx, index) };
  });
}

// @covers ESW-REPLACED
test('an index is complete when its follower has all entries, and not before it has begun', async () => {
  const whole = await progressWith(0);
  expect(whole).toEqual({ done: whole.total, total: whole.total, isCaughtUp: true });
  expect(await progressWith(null)).toEqual({ done: 0, total: whole.total, isCaughtUp: false });
});

// @covers ESW-REPLACED
test('an index of a small store may lack one entry of twenty, so that it is not empty', async () => {
  const { total } = await progressWith(0);
  expect(Math.floor(total / 20)).toBe(1);
  expect(await progressWith(1)).toMatchObject({ done: total - 1, isCaughtUp: true });
  expect(await progressWith(2)).toMatchObject({ done: total - 2, isCaughtUp: false });
});
