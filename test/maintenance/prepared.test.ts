import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { project } from '../../projections/all.js';
import { keyStore } from '../../src/adapters/signing-keys.js';
import { realWorld } from '../../src/base/world.js';
import { databaseLedger } from '../../src/ledger/engines/database.js';
import { maintenanceCommands } from '../../src/maintenance/commands.js';
import { models, newStore, type Store } from './store.js';

let store: Store;
beforeAll(async () => {
  store = await newStore();
});
afterAll(() => store.close());

test.each([
  ['fsck', []],
  ['scrub', []],
  ['keys', ['create']],
  ['people', ['password', 'owner@example.org']],
  ['workspaces', []],
])('%s says what to do about a store of another version, and changes nothing', async (name, args) => {
  const { database, run } = store;
  const operation = {
    database,
    world: realWorld,
    run,
    ledger: databaseLedger(database, project),
    requireHome: async () => undefined,
  };
  const keys = keyStore(join(store.directory, 'keys'), 'log.example.org', realWorld.now);
  const command = maintenanceCommands(operation, models, keys, null, async () => null).get(name);
  await store.sql(`update projections set version = version - 1 where name = 'account'`);
  await expect(command?.(args, () => undefined)).rejects.toThrow(
    /^The store holds "account" as another version of Counterfoil made it\. Start the service once/,
  );
  await store.sql(`update projections set version = version + 1 where name = 'account'`);
  expect(await store.sql('select 1 from entries')).toEqual([]);
});
