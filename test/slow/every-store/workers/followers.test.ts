import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { realWorld } from '../../../../src/base/world.js';
import { type Database, StoreUnavailable, type Transaction } from '../../../../src/database/database.js';
import type { Caller } from '../../../../src/domain/caller.js';
import type { Stored } from '../../../../src/ledger/entries.js';
import type { Ledger } from '../../../../src/ledger/ledger.js';
import { lagOf } from '../../../../src/ledger/positions.js';
import type { Follower, TransactionalFollower } from '../../../../src/workers/follow-chain.js';
import { following } from '../../../../src/workers/followers.js';
import { createWorker, type Worker } from '../../../../src/workers/loop.js';
import { newStore, type Store } from '../../../maintenance/store.js';
import { until } from '../../../support/until.js';

let store: Store;
let running: Worker[] = [];
/** The chains of this test. */
let chains: string[] = [];
beforeAll(async () => {
  store = await newStore();
  await store.sql('create table seen (chain uuid, seq bigint)');
});
beforeEach(async () => {
  chains = [];
  await store.sql('delete from seen');
});
afterEach(async () => {
  await Promise.all(running.map((worker) => worker.stop()));
  running = [];
});
afterAll(() => store.close());

const silent = { error: () => undefined, warn: () => undefined, info: () => undefined };

/** Another process appends: no notification ever comes, and everything is looked at often. */
const polled: Pick<Ledger, 'follow'> = {
  async *follow(signal) {
    while (!signal.aborted) {
      yield 'unknown';
      await realWorld.sleep(20, signal);
    }
  },
};

interface ProcessOptions {
  readonly owner?: string;
  readonly leaseMs?: number;
  readonly database?: Database;
}

/** A process that runs this follower. */
function start(follower: Follower, options: ProcessOptions = {}): Worker {
  const parts = { database: store.database, ledger: polled, log: silent, owner: realWorld.nonce(), ...options };
  const worker: Worker = createWorker(
    { world: realWorld, log: silent },
    following(parts, follower, () => worker.wake()),
  );
  worker.start();
  running.push(worker);
  return worker;
}

const insertSeen = async (tx: Transaction, chain: string, more: readonly Stored[]) => {
  for (const { entry } of more) await tx.query('insert into seen values ($1, $2)', [chain, entry.seq]);
};

/** Writes each entry to the table in the transaction that moves the position. */
const tableOf = (name: string): TransactionalFollower => ({
  name,
  from: 'begin',
  follows: (chain) => chains.includes(chain),
  apply: insertSeen,
});

interface Place {
  readonly [column: string]: unknown;
  readonly chain: string;
  readonly seq: number;
}

/** The entries of this test's chains, and all that a follower has written, in order. */
const entries = () =>
  store.sql<Place>('select chain::text, seq from entries where chain = any($1) order by chain, seq', [chains]);
const seen = () => store.sql<Place>('select chain::text, seq from seen order by chain, seq');

/** Waits until the positions of a follower are those of the heads. */
const caughtUp = (name: string) =>
  until(async () => {
    const behind = await store.sql(
      `select 1 from chains c left join followers f on f.name = $1 and f.chain = c.chain
        where c.chain = any($2) and c.head_seq > coalesce(f.seq, 0)`,
      [name, chains],
    );
    return behind.length === 0;
  });

async function workspaces(count: number, writes: number): Promise<Caller[]> {
  const callers: Caller[] = [];
  for (let i = 0; i < count; i += 1) {
    const caller = await store.openWorkspace();
    chains.push(caller.workspaceId);
    for (let j = 0; j < writes; j += 1) await store.add(caller, `memory ${j} of ${caller.workspaceId}`);
    callers.push(caller);
  }
  return callers;
}

it('follows every chain in order, and continues where it was after a restart', async () => {
  const [caller] = await workspaces(2, 2);
  const order: Place[] = [];
  const noting: Follower = {
    ...tableOf('ordered'),
    apply: async (tx, chain, more) => {
      order.push(...more.map(({ entry }) => ({ chain, seq: entry.seq })));
      await insertSeen(tx, chain, more);
    },
  };
  start(noting);
  await caughtUp('ordered');
  await running[0]?.stop();
  if (caller) await store.add(caller, 'one more');
  start(noting);
  await caughtUp('ordered');
  expect(await seen()).toEqual(await entries());
  for (const chain of chains) {
    const positions = order.filter((place) => place.chain === chain).map(({ seq }) => seq);
    expect(positions).toEqual(positions.map((_seq, at) => at + 1));
  }
});

it('begins behind the entries that there are when it is from now, and at the first entry of later chains', async () => {
  const [old] = await workspaces(1, 1);
  const before = (await entries()).length;
  start({ ...tableOf('late'), from: 'now' });
  await until(async () => (await store.sql(`select 1 from followers where name = 'late'`)).length > 0);
  expect(await seen()).toEqual([]);
  await workspaces(1, 1);
  if (old) await store.add(old, 'new in an old chain');
  await caughtUp('late');
  expect((await seen()).length).toBe((await entries()).length - before);
  expect((await seen()).filter(({ seq }) => seq === 1)).toHaveLength(1);
});

it('begins again with a new version, while the old one has its own positions', async () => {
  await workspaces(1, 1);
  start({ ...tableOf('versioned'), version: 1 });
  await caughtUp('versioned/1');
  const once = await seen();
  start({ ...tableOf('versioned'), version: 2 });
  await caughtUp('versioned/2');
  expect((await seen()).length).toBe(2 * once.length);
});

/** A database that is gone from its n-th transaction on, as that of a killed process. */
function killedAt(n: number): Database {
  let transactions = 0;
  return {
    ...store.database,
    transaction(work) {
      transactions += 1;
      if (transactions >= n) return Promise.reject(new StoreUnavailable('killed'));
      return store.database.transaction(work);
    },
  };
}

it('writes every entry exactly once, at any transaction a process is killed', async () => {
  await workspaces(2, 2);
  for (let at = 1; at <= 6; at += 1) start(tableOf('killed'), { database: killedAt(at), leaseMs: 50 });
  await realWorld.sleep(200);
  start(tableOf('killed'));
  await caughtUp('killed');
  expect(await seen()).toEqual(await entries());
});

it('sends every entry in order, at least once, and nothing more after its lease was lost', async () => {
  await workspaces(1, 2);
  const follows = (chain: string) => chains.includes(chain);
  let wasLost = false;
  let isAway = false;
  const hanging: Follower = {
    name: 'relay',
    from: 'begin',
    follows,
    send: (_chain, _entries, lost) =>
      new Promise((_resolve, reject) => {
        lost.addEventListener('abort', () => {
          wasLost = true;
          reject(new Error('the lease was lost'));
        });
      }),
  };
  const cutOff: Database = {
    ...store.database,
    transaction: (work) =>
      isAway ? Promise.reject(new StoreUnavailable('no connection')) : store.database.transaction(work),
  };
  start(hanging, { database: cutOff, leaseMs: 2000 });
  await until(async () => (await owners('relay')).length > 0);
  const sent: number[] = [];
  const send = async (_chain: string, more: readonly Stored[]) => {
    sent.push(...more.map(({ entry }) => entry.seq));
    return null;
  };
  start({ name: 'relay', from: 'begin', follows, send });
  // Longer than the lease: the first process renews it while it sends.
  await realWorld.sleep(3000);
  expect([sent, wasLost]).toEqual([[], false]);
  isAway = true;
  await until(() => wasLost);
  await caughtUp('relay');
  expect(sent).toEqual((await entries()).map(({ seq }) => seq));
});

const owners = (name: string) =>
  store.sql('select 1 from followers where name = $1 and owner is not null and until > now()', [name]);

it('an effect under an old fence moves no position', async () => {
  await workspaces(1, 1);
  let release = () => undefined;
  start({
    name: 'fenced',
    from: 'begin',
    follows: (chain) => chains.includes(chain),
    send: (_chain, _entries, lost) =>
      new Promise((resolve) => {
        release = () => void resolve(null);
        lost.addEventListener('abort', release);
      }),
  });
  await until(async () => (await owners('fenced')).length > 0);
  await realWorld.sleep(100);
  await store.sql(`update followers set fence = fence + 1 where name = 'fenced'`);
  release();
  await realWorld.sleep(100);
  expect(await store.sql(`select max(seq) as seq from followers where name = 'fenced'`)).toEqual([{ seq: 0 }]);
});

it('several processes share the chains, and nothing is done twice', async () => {
  await workspaces(4, 1);
  for (let i = 0; i < 3; i += 1) start(tableOf('shared'));
  await caughtUp('shared');
  expect(await seen()).toEqual(await entries());
});

it('a chain that fails does not hold up other chains, and is followed when its fault is over', async () => {
  const [bad] = await workspaces(3, 1);
  let isBroken = true;
  start({
    ...tableOf('failing'),
    async apply(tx, chain, more) {
      await insertSeen(tx, chain, more);
      if (isBroken && chain === bad?.workspaceId) throw new Error('this chain fails');
    },
  });
  const good = (await entries()).filter(({ chain }) => chain !== bad?.workspaceId);
  await until(async () => (await seen()).length === good.length);
  expect(await seen()).toEqual(good);
  const lag = await store.database.read((tx) => lagOf(tx, 'failing'));
  expect(lag.entries).toBeGreaterThan(0);
  expect(lag.seconds).toBeGreaterThan(0);
  isBroken = false;
  await caughtUp('failing');
  expect(await seen()).toEqual(await entries());
});

it('has no lag when it has followed all chains', async () => {
  start({ ...tableOf('complete'), follows: () => true });
  await until(async () => (await store.database.read((tx) => lagOf(tx, 'complete'))).entries === 0);
  expect(await store.database.read((tx) => lagOf(tx, 'complete'))).toEqual({ entries: 0, seconds: 0 });
});
