import { afterAll, beforeAll, expect, it } from 'vitest';
import { project } from '../../../projections/all.js';
import { realWorld as world } from '../../../src/base/world.js';
import { addMemory } from '../../../src/commands/add-memory.js';
import { createRun } from '../../../src/commands/run.js';
import { stateLoader } from '../../../src/commands/state/state.js';
import type { Caller } from '../../../src/domain/caller.js';
import { databaseLedger } from '../../../src/ledger/engines/database.js';
import { waitInQueues } from '../../../src/ledger/queue.js';
import { reportedLedger } from '../../../src/ledger/reported.js';
import { createSettledTimes } from '../../../src/ledger/settled.js';
import { fsck } from '../../../src/maintenance/fsck.js';
import { memoryOf } from '../../maintenance/memories.js';
import { models, newStore, type Store } from '../../maintenance/store.js';

let store: Store;
let caller: Caller;
beforeAll(async () => {
  store = await newStore();
  caller = await store.openWorkspace();
});
afterAll(() => store.close());

const silent = { error: () => undefined, info: () => undefined };

/** A process on the store. */
function newProcess() {
  const { ledger, appends } = reportedLedger(databaseLedger(store.database, project), silent);
  const run = createRun(ledger, stateLoader(store.database, world.now), world);
  const write = ({ workspaceId, ...who }: Caller, content: string) =>
    run(workspaceId, addMemory(world, { workspaceId, ...who }, memoryOf(content)));
  return { write, appends };
}

const contents = async (like: string) =>
  (await store.sql<{ content: string }>('select content from vault where content like $1', [like])).map(
    ({ content }) => content,
  );

it('processes that write to one chain have no conflicts, and none of them is left out', async () => {
  const processes = Array.from({ length: 4 }, newProcess);
  const until = performance.now() + 2000;
  const written: string[] = [];
  await Promise.all(
    processes.flatMap(({ write }, process) =>
      Array.from({ length: 4 }, async (_, client) => {
        for (let n = 0; performance.now() < until; n += 1) {
          const content = `queued ${process} ${client} ${n}`;
          await write(caller, content);
          written.push(content);
        }
      }),
    ),
  );
  expect((await contents('queued %')).toSorted()).toEqual(written.toSorted());
  const counts = processes.map(({ appends }) => Object.fromEntries(appends()));
  expect(counts.map((one) => Object.keys(one))).toEqual(counts.map(() => ['appended']));
  const all = counts.map(({ appended = 0 }) => appended);
  expect(Math.min(...all)).toBeGreaterThan(Math.max(...all) / 2);
});

it('processes that write to several chains have no conflicts and no deadlocks, and none of them is left out', async () => {
  const callers = await Promise.all(Array.from({ length: 4 }, () => store.openWorkspace()));
  const processes = Array.from({ length: 4 }, newProcess);
  const until = performance.now() + 4000;
  const written: string[] = [];
  await Promise.all(
    processes.flatMap(({ write }, process) =>
      callers.map(async (caller, at) => {
        for (let n = 0; performance.now() < until; n += 1) {
          const content = `of several ${process} ${at} ${n}`;
          await write(caller, content);
          written.push(content);
        }
      }),
    ),
  );
  expect((await contents('of several %')).toSorted()).toEqual(written.toSorted());
  for (const { appends } of processes) expect([...appends().keys()]).toEqual(['appended']);
  const all = processes.map((_, at) => written.filter((one) => one.startsWith(`of several ${at}`)).length);
  expect(Math.min(...all)).toBeGreaterThan(Math.max(...all) / 2);
});

it('a chain in trouble keeps others waiting for a second at most that wait for other processes too', async () => {
  const [stuck, busy] = [await store.openWorkspace(), await store.openWorkspace()];
  const { write } = newProcess();
  const hold = ({ workspaceId }: Caller, ms: number) => {
    let held: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      held = resolve;
    });
    const ended = store.database.transaction(async (tx) => {
      await waitInQueues(tx, [workspaceId]);
      held();
      await world.sleep(ms);
    });
    return { begun, ended };
  };
  // This process finds others in both queues, and so writes to both in one group that waits.
  const both = [hold(stuck, 100), hold(busy, 100)];
  await Promise.all(both.map(({ begun }) => begun));
  await Promise.all([write(stuck, 'of a group'), write(busy, 'of it'), ...both.map(({ ended }) => ended)]);
  const { begun, ended } = hold(stuck, 4500);
  await begun;
  const waiting = write(stuck, 'after one that is stuck');
  const from = performance.now();
  await write(busy, 'not after it');
  expect(performance.now() - from).toBeLessThan(3000);
  await Promise.all([ended, waiting]);
});

it('the same content by several processes is one memory', async () => {
  const processes = Array.from({ length: 4 }, newProcess);
  const added = await Promise.all(processes.map(({ write }) => write(caller, 'the same')));
  expect(new Set(added.map(({ memory_id }) => memory_id)).size).toBe(1);
});

it('a transaction that does not end keeps its own chain waiting and no other, until its connection is gone', async () => {
  const other = await store.openWorkspace();
  const { write } = newProcess();
  let pid = 0;
  let held: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    held = resolve;
  });
  const hanging = store.database
    .transaction(async (tx) => {
      const [row] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
      pid = row?.pid ?? 0;
      await waitInQueues(tx, [caller.workspaceId]);
      held();
      // For longer than a lock is waited for.
      await world.sleep(6500);
      await tx.query('select 1');
    })
    .catch((error: unknown) => error);
  await begun;
  let isWritten = false;
  const waiting = write(caller, 'behind one that hangs').then(() => {
    isWritten = true;
  });
  const from = performance.now();
  await write(other, 'of another chain');
  expect(performance.now() - from).toBeLessThan(4500);
  await world.sleep(6000);
  expect(isWritten).toBe(false);
  await store.sql('select pg_terminate_backend($1)', [pid]);
  await waiting;
  expect(await hanging).toBeInstanceOf(Error);
  expect(await contents('behind one%')).toHaveLength(1);
});

it('the settled time moves on while writers queue', async () => {
  const processes = Array.from({ length: 3 }, newProcess);
  const { settle } = createSettledTimes(store.database);
  const until = performance.now() + 2000;
  const writers = processes.map(async ({ write }, process) => {
    for (let n = 0; performance.now() < until; n += 1) await write(caller, `beside settling ${process} ${n}`);
  });
  let moved = 0;
  while (performance.now() < until) {
    const ms = Date.now() - 5000;
    if ((await settle(ms)) >= ms) moved += 1;
    await world.sleep(50);
  }
  await Promise.all(writers);
  expect(moved).toBeGreaterThan(5);
});

it('leaves a store in which nothing is wrong', async () => {
  expect((await fsck(store.database, models, { onProgress: () => undefined })).faults).toBeNull();
});
