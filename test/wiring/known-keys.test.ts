import { expect, test } from 'vitest';
import type { Entry } from '../../contracts/entries/entry.js';
import type { KnownKey } from '../../projections/account/queries.js';
import type { KnownAgentKey } from '../../projections/agents/keys.js';
import { linkAgent } from '../../src/commands/agents.js';
import { bindKey, createKey, revokeKey } from '../../src/commands/keys.js';
import { createNamespace } from '../../src/commands/namespaces.js';
import type { Row, Value } from '../../src/database/database.js';
import { askingTogether } from '../../src/http/identify.js';
import { keysInMemory, keysOfDatabase } from '../../src/wiring/known-keys.js';
import { given } from '../support/given.js';

const stored: KnownKey = {
  id: 'key',
  workspace_id: 'w',
  name: 'n',
  scopes: [],
  namespace_ids: [],
  receipts: null,
  memory_api: true,
  user_id: null,
  agent_id: null,
  app_id: null,
};

const agentKey: KnownAgentKey = {
  id: 'agent key',
  workspace_id: 'w',
  agent_id: 'agent',
  name: 'n',
  scopes: [],
  namespace_ids: [],
  memory_api: true,
};

/** Keys of a store that can be changed, whose look-ups answer when they may. */
function setup() {
  const store: { key: KnownKey | undefined; asked: number; askedForAgents: number } = {
    key: stored,
    asked: 0,
    askedForAgents: 0,
  };
  const turns: (() => void)[] = [];
  const keys = keysInMemory({
    async findAgentKey(_hash, begun) {
      begun();
      store.askedForAgents += 1;
      return agentKey;
    },
    async find(_hash, begun) {
      begun();
      store.asked += 1;
      const { key } = store;
      await new Promise<void>((resolve) => turns.push(resolve));
      return key;
    },
  });
  const project = keys.following(async () => undefined);
  return {
    store,
    find: () => keys.find('hash', () => undefined),
    findAgentKey: () => keys.findAgentKey('hash', () => undefined),
    answer: () => turns.shift()?.(),
    follow: (entries: readonly Entry[]) =>
      project(
        { query: async () => [], select: async () => [], write: async () => undefined },
        entries.map((entry) => ({ entry, hash: '', deposit: null })),
      ),
  };
}

const workspace = given();
const { world } = workspace;
const owner = workspace.person('owner');
const named = { name: 'k', scopes: [], namespaces: undefined, user_id: null, agent_id: null, app_id: null };
const made = workspace.when(createKey(world, owner, named, 'hash of a secret'));
const { key_id } = made.answer();
const changes = {
  'a new key': made.entries,
  'a key that is bound again': workspace.when(bindKey(world, owner, key_id, [])).entries,
  'a revoked key': workspace.when(revokeKey(world, owner, key_id)).entries,
};

test('a key is looked up once', async () => {
  const { store, find, answer } = setup();
  const first = find();
  answer();
  expect(await first).toEqual(stored);
  expect(await find()).toEqual(stored);
  expect(store.asked).toBe(1);
});

test.each(Object.entries(changes))('%s makes it forget all keys', async (_name, entries) => {
  const { store, find, answer, follow } = setup();
  const first = find();
  answer();
  await first;
  store.key = undefined;
  await follow(entries);
  const second = find();
  answer();
  expect(await second).toBeUndefined();
  expect(store.asked).toBe(2);
});

test('other entries change nothing', async () => {
  const { store, find, answer, follow } = setup();
  const first = find();
  answer();
  await first;
  await follow(workspace.when(createNamespace(world, owner, 'work')).entries);
  expect(await find()).toEqual(stored);
  expect(store.asked).toBe(1);
});

// @covers AUTH-KEY-REVOKED
test('a look-up that a change has overtaken is not kept', async () => {
  const { store, find, answer, follow } = setup();
  const early = find();
  store.key = undefined;
  await follow(changes['a revoked key']);
  answer();
  expect(await early).toEqual(stored);
  const late = find();
  answer();
  expect(await late).toBeUndefined();
});

test('a key that is not there is looked up each time', async () => {
  const { store, find, answer } = setup();
  store.key = undefined;
  for (const times of [1, 2]) {
    const asked = find();
    answer();
    expect(await asked).toBeUndefined();
    expect(store.asked).toBe(times);
  }
});

test('the keys of agents are kept and forgotten in the same way', async () => {
  const { store, findAgentKey, follow } = setup();
  for (const _ of [1, 2]) expect(await findAgentKey()).toEqual(agentKey);
  expect(store.askedForAgents).toBe(1);
  const agent_id = `agn_${'a'.repeat(32)}`;
  await follow(workspace.when(linkAgent(world, owner, { agent_id, name: null }, 'hash of a token')).entries);
  await findAgentKey();
  expect(store.askedForAgents).toBe(2);
});

test('requests that have arrived share a look-up in the database, and one that comes later has its own', async () => {
  let lookUps = 0;
  const { find } = keysOfDatabase({
    async readEach() {
      lookUps += 1;
      throw new Error('the database is away');
    },
  });
  const ask = askingTogether(find);
  const arrived = [ask('hash'), ask('hash'), Promise.resolve().then(() => ask('hash'))];
  expect((await Promise.allSettled(arrived)).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(lookUps).toBe(1);
  await expect(ask('hash')).rejects.toThrow('away');
  expect(lookUps).toBe(2);
});

test('requests with different keys share a look-up, and each has its own key', async () => {
  const asked: unknown[] = [];
  const of = (secret_hash: string) => ({ ...stored, secret_hash, name: `of ${secret_hash}` });
  const tx = {
    async query<R extends Row>(_sql: string, [hashes]: readonly Value[] = []): Promise<R[]> {
      asked.push(hashes);
      return JSON.parse(JSON.stringify([of('b'), of('a')]));
    },
    select: () => Promise.reject(new Error('not used')),
    write: () => Promise.reject(new Error('not used')),
  };
  const { find } = keysOfDatabase({ readEach: (work) => work(tx) });
  const begun: string[] = [];
  const found = await Promise.all(['a', 'b', 'c'].map((hash) => find(hash, () => begun.push(hash))));
  expect(found.map((one) => one?.name)).toEqual(['of a', 'of b', undefined]);
  expect(found[0]).toEqual({ ...stored, name: 'of a' });
  expect([asked, begun]).toEqual([[['a', 'b', 'c']], ['a', 'b', 'c']]);
});
