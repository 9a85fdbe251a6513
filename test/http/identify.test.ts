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
  receipts: null,
  memory_api: true,
  ...provenance,
};
const headers = { authorization: `Bearer ak_${'k'.repeat(40)}` };

/** Keys in a store that can be changed and whose lookups wait until they may answer. */
function setup() {
  const store: { key: KnownKey | undefined; broken: boolean; asked: number } = { key: view, broken: false, asked: 0 };
  const turns: (() => void)[] = [];
  const identify = createIdentify(
    async (_hash, begun) => {
      await new Promise<void>((resolve) => turns.push(resolve));
      begun();
      store.asked += 1;
      if (store.broken) throw new Error('the database does not answer');
      const found = store.key;
      await new Promise<void>((resolve) => turns.push(resolve));
      return found;
    },
    async () => null,
  );
  const next = async () => {
    turns.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { store, identify: () => identify(headers), next };
}

it('asks once for all who come before it is asked, and again for anyone who comes later', async () => {
  const { store, identify, next } = setup();
  const all = Array.from({ length: 20 }, identify);
  await next();
  const late = identify();
  await next();
  await Promise.all(all);
  expect(store.asked).toBe(1);
  await next();
  await next();
  await expect(late).resolves.toMatchObject({ workspaceId: 'w' });
  expect(store.asked).toBe(2);
});

// @covers AUTH-KEY-REVOKED
it('allows no one to in with a key that was revoked while another request was looking it up', async () => {
  const { store, identify, next } = setup();
  const early = identify();
  await next();
  store.key = undefined;
  const late = identify();
  await next();
  await expect(early).resolves.toMatchObject({ workspaceId: 'w' });
  const refused = expect(late).rejects.toMatchObject({ code: 'unauthorized' });
  await next();
  await next();
  await refused;
});

it('allows no one to in when the key cannot be looked up, and asks again', async () => {
  const { store, identify, next } = setup();
  store.broken = true;
  const refused = expect(identify()).rejects.toThrow('the database does not answer');
  await next();
  await refused;
  store.broken = false;
  const later = identify();
  await next();
  await next();
  await expect(later).resolves.toMatchObject({ workspaceId: 'w' });
});
