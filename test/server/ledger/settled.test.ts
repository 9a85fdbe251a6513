import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../../src/domain/caller.js';
import { createSettledTimes, holdSettled } from '../../../src/ledger/settled.js';
import { newStore, type Store } from '../../maintenance/store.js';

let store: Store;
let caller: Caller;
beforeAll(async () => {
  store = await newStore();
  caller = await store.openWorkspace();
});
afterAll(() => store.close());

// @covers FEED-PATIENCE
it('an append that hangs keeps the ledger unsettled, and makes other appends wait for a moment only', async () => {
  const settledTimes = createSettledTimes(store.database);
  const t = Date.now() - 5000;
  const before = await settledTimes.settle(t - 60_000);
  let end: () => void = () => undefined;
  const hangs = new Promise<void>((resolve) => {
    end = resolve;
  });
  let begun: () => void = () => undefined;
  const holds = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const hanging = store.database.transaction(async (tx) => {
    await holdSettled(tx);
    begun();
    await hangs;
  });
  await holds;
  const trying = settledTimes.settle(t);
  const from = performance.now();
  await store.add(caller, 'beside one that hangs');
  expect(performance.now() - from).toBeLessThan(4000);
  expect(await trying).toBe(before);
  expect(await store.sql('select ms from settled_time')).toEqual([{ ms: before }]);
  end();
  await hanging;
  expect(await settledTimes.settle(t)).toBe(t);
});
