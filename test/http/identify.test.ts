import { expect, it } from 'vitest';
import type { KnownKey } from '../../projections/account/queries.js';
import { createIdentify } from '../../src/http/identify.js';

const provenance = { user_id: null, agent_id: null, app_id: null };
const view: KnownKey = {
  id: 'key',
  workspace_id: 'w',
  name: 'n',
  scopes: [],
  namespace_ids: [],
  memory_api: true,
  ...provenance,
};
const headers = { authorization: `Bearer ak_${'k'.repeat(40)}` };

/** Keys in a store that can be changed, under a clock that stands still until it is moved. */
function setup() {
  const store: { key: KnownKey | undefined; broken: boolean; asked: number } = { key: view, broken: false, asked: 0 };
  let now = 0;
  const identify = createIdentify(
    async () => {
      store.asked += 1;
      if (store.broken) throw new Error('the database does not answer');
      return store.key;
    },
    async () => null,
    () => new Date(now),
  );
  return { store, identify: () => identify(headers), at: (ms: number) => (now = ms) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('asks once for all who come at once, and not again while the answer is young', async () => {
  const { store, identify, at } = setup();
  await Promise.all(Array.from({ length: 20 }, identify));
  at(499);
  await identify();
  expect(store.asked).toBe(1);
});

// @covers AUTH-KEY-REVOKED
it('asks again before the time is up, and refuses a key that was revoked within a second', async () => {
  const { store, identify, at } = setup();
  await identify();
  store.key = undefined;
  at(600);
  await expect(identify()).resolves.toMatchObject({ workspaceId: 'w' });
  await settled();
  await expect(identify()).rejects.toMatchObject({ code: 'unauthorized' });
});

it('lets nobody in after a second when the key cannot be looked up', async () => {
  const { store, identify, at } = setup();
  await identify();
  store.broken = true;
  at(999);
  await expect(identify()).resolves.toMatchObject({ workspaceId: 'w' });
  await settled();
  at(1000);
  await expect(identify()).rejects.toThrow('the database does not answer');
  store.broken = false;
  await expect(identify()).resolves.toMatchObject({ workspaceId: 'w' });
});
