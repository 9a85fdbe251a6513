import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { errors, outcomeUnknown } from '../../contracts/errors.js';
import { realWorld, type World } from '../../src/base/world.js';
import { addMemory } from '../../src/commands/add-memory.js';
import { createRun } from '../../src/commands/run.js';
import { stateLoader } from '../../src/commands/state/state.js';
import { StoreBusy, StoreClosed, StoreFull } from '../../src/database/database.js';
import type { Caller } from '../../src/domain/caller.js';
import { type Commit, type Ledger, NotAppended } from '../../src/ledger/ledger.js';
import { createSettledTimes } from '../../src/ledger/settled.js';
import { ledgerWithoutQueue } from '../ledger/engines.js';
import { memoryOf } from '../maintenance/memories.js';
import { newStore, type Store } from '../maintenance/store.js';

let store: Store;
let caller: Caller;
beforeAll(async () => {
  store = await newStore();
  caller = await store.openWorkspace();
});
afterAll(() => store.close());

/** A process whose clock is off by so much, and moves on by a minute with each pause. */
function worldAt(offMs: number): World {
  let waited = 0;
  return {
    ...realWorld,
    now: () => new Date(Date.now() + offMs + waited),
    sleep: async (ms) => {
      if (ms > 1) waited += 60_000;
      await realWorld.sleep(Math.min(ms, 1));
    },
  };
}

const runOn = (world: World, ledger: Ledger = ledgerWithoutQueue(store.database)) =>
  createRun(ledger, stateLoader(store.database, world.now), world);

const write = (world: World, content: string, ledger?: Ledger) =>
  runOn(world, ledger)(caller.workspaceId, addMemory(world, caller, memoryOf(content)));

async function times(workspaceId = caller.workspaceId): Promise<string[]> {
  const rows = await store.sql<{ at: string }>(
    `select convert_from(bytes, 'UTF8')::json ->> 'recorded_at' as at from entries where chain = $1 order by seq`,
    [workspaceId],
  );
  return rows.map(({ at }) => at);
}

it('the times of a chain never go back, no matter the clocks of those who write to it', async () => {
  await write(worldAt(300_000), 'by a process that is five minutes ahead');
  await write(worldAt(0), 'by one that is right');
  await write(worldAt(-300_000), 'by one that is behind');
  // One that continues writing knows the time of its own last entry.
  const clock = { off: 600_000 };
  const world: World = { ...realWorld, now: () => new Date(Date.now() + clock.off) };
  const run = runOn(world);
  await run(caller.workspaceId, addMemory(world, caller, memoryOf('before its clock was set right')));
  clock.off = 0;
  await run(caller.workspaceId, addMemory(world, caller, memoryOf('after that')));
  const all = await times();
  expect(all).toEqual([...all].sort());
  expect(new Set(all).size).toBeGreaterThan(2);
});

/** A ledger whose appends fail by `failing`, one after the other, and then are as they are. */
function breaking(failing: readonly ((commits: readonly Commit[]) => Promise<Error>)[]) {
  const real = ledgerWithoutQueue(store.database);
  const seen: string[][] = [];
  const left = [...failing];
  const ledger: Ledger = {
    ...real,
    async append(chain, expected, commits) {
      seen.push(commits.flatMap(({ entries }) => entries.map(({ entry }) => entry.recorded_at)));
      const fail = left.shift();
      if (fail) throw await fail(commits);
      return real.append(chain, expected, commits);
    },
  };
  return { ledger, seen };
}

it('an append that is known not to have happened takes a new time, and one in doubt is repeated as it was', async () => {
  const not = breaking([async () => new NotAppended('not'), async () => new NotAppended('not')]);
  await write(worldAt(3_600_000), 'taken at the third try', not.ledger);
  expect(new Set(not.seen.flat()).size).toBe(3);

  const doubt = breaking([
    async () => new Error('who knows'),
    // Of the first one it says nothing.
    async () => new NotAppended('not'),
    ...Array.from({ length: 10 }, () => async () => new Error('who knows')),
  ]);
  await write(worldAt(7_200_000), 'in doubt for long', doubt.ledger);
  expect(doubt.seen).toHaveLength(13);
  expect(new Set(doubt.seen.flat()).size).toBe(1);
  const rows = await store.sql<{ count: number }>(
    `select count(*) as count from vault where content in ('taken at the third try', 'in doubt for long')`,
  );
  expect(rows).toEqual([{ count: 2 }]);
});

it('a refusal says that nothing was written only when that is known', async () => {
  const refusal = async (content: string, failing: readonly Error[]) => {
    const { ledger } = breaking(failing.map((error) => async () => error));
    return write(worldAt(0), content, ledger).then(
      () => null,
      (error) => error,
    );
  };
  const not = () => new NotAppended('not', { cause: new Error('a statement failed') });
  const known = await refusal('known', Array.from({ length: 9 }, not));
  expect(known).toMatchObject({ code: 'receipt_unavailable', message: errors.receipt_unavailable[1] });
  expect(known.cause).toBeInstanceOf(NotAppended);
  const closedBefore = new NotAppended('not', { cause: new StoreClosed('closed') });
  expect(await refusal('closed', [closedBefore])).toMatchObject({ message: errors.receipt_unavailable[1] });
  const full = new NotAppended('not', { cause: new StoreFull('The disk is full.') });
  expect(await refusal('full', [full])).toBeInstanceOf(StoreFull);
  // The commit was sent, and then the store was closed: by this process, or while it was repeated.
  expect(await refusal('unknown', [new StoreClosed('closed')])).toMatchObject({ message: outcomeUnknown });
  expect(await refusal('unknown then closed', [new Error('away'), closedBefore])).toMatchObject({
    code: 'receipt_unavailable',
    message: outcomeUnknown,
  });
  const rows = await store.sql(`select 1 from vault where content in ('known', 'closed', 'full')`);
  expect(rows).toEqual([]);
});

/** Two processes on one chain, of which the other one is quicker for this number of times. */
function losing(times: number) {
  const real = ledgerWithoutQueue(store.database);
  const ledger: Ledger = {
    ...real,
    async append(...given) {
      if (times > 0) {
        times -= 1;
        await runOn(realWorld)(
          caller.workspaceId,
          addMemory(realWorld, caller, memoryOf(`of the quicker one ${times}`)),
        );
      }
      return real.append(...given);
    },
  };
  return ledger;
}

it('no one is refused because another process is quicker, however often', async () => {
  const pauses: number[] = [];
  const world: World = {
    ...realWorld,
    sleep: async (ms) => {
      pauses.push(ms);
    },
  };
  const run = runOn(world, losing(20));
  const texts = ['outrun', 'with it', 'and with both'];
  await Promise.all(texts.map((text) => run(caller.workspaceId, addMemory(world, caller, memoryOf(text)))));
  const rows = await store.sql('select 1 from vault where content = any($1::text[])', [texts]);
  expect(rows).toHaveLength(3);
  expect(Math.max(...pauses)).toBeGreaterThan(20);
});

it('those who lose races are refused when their patience ends, with nothing written', async () => {
  const { reads } = addMemory(realWorld, caller, memoryOf('always outrun'));
  const loaded = await stateLoader(store.database, realWorld.now)(caller.workspaceId, [reads]);
  let races = 0;
  const conflict: Ledger = {
    ...ledgerWithoutQueue(store.database),
    async append(_chain, head) {
      races += 1;
      return { outcome: 'conflict', head };
    },
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const run = createRun(conflict, async () => loaded, realWorld);
    const outrun = run(caller.workspaceId, addMemory(realWorld, caller, memoryOf('always outrun'))).catch(
      (error) => error,
    );
    let isRefused = false;
    void outrun.then(() => {
      isRefused = true;
    });
    const pass = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 10) {
        await vi.advanceTimersByTimeAsync(10);
        await setImmediate();
      }
    };
    await pass(19_000);
    expect(isRefused).toBe(false);
    await pass(2000);
    expect(await outrun).toMatchObject({ code: 'receipt_unavailable', message: errors.receipt_unavailable[1] });
    const lost = races;
    expect(lost).toBeGreaterThan(30);
    // No one waits any more.
    await pass(2000);
    expect(races).toBeLessThanOrEqual(lost + 1);
  } finally {
    vi.useRealTimers();
  }
});

it('an append that the database gives up because others hold its rows is a lost race, and no failure', async () => {
  const busy = () => new NotAppended('not', { cause: new StoreBusy('a lock was not released in time') });
  const { ledger } = breaking(Array.from({ length: 12 }, () => async () => busy()));
  await write(worldAt(10_000_000), 'at last', ledger);
  expect(await store.sql(`select 1 from vault where content = 'at last'`)).toHaveLength(1);
});

it('an entry whose time is settled gets a later one, also from a process whose clock is behind', async () => {
  const settled = Date.now() + 1_800_000;
  await createSettledTimes(store.database).settle(settled);
  const other = await store.openWorkspace();
  const world = worldAt(-300_000);
  await runOn(world)(other.workspaceId, addMemory(world, other, memoryOf('by a clock that is behind')));
  const all = await times(other.workspaceId);
  expect(all.at(-1)).toBe(new Date(settled + 1).toISOString());
  // It is never set back.
  await createSettledTimes(store.database).settle(0);
  expect(await store.sql('select ms from settled_time')).toEqual([{ ms: settled }]);
});

// @covers FEED-SETTLED
it('an append in doubt that was not committed gets a later time once its own is settled', async () => {
  const real = ledgerWithoutQueue(store.database);
  const other = await store.openWorkspace();
  const tried: string[] = [];
  const ledger: Ledger = {
    ...real,
    async append(chain, head, commits, isLate) {
      const [first] = commits.flatMap(({ entries }) => entries);
      tried.push(first?.entry.recorded_at ?? '');
      if (tried.length > 1) return real.append(chain, head, commits, isLate);
      await createSettledTimes(store.database).settle(Date.parse(tried[0] ?? ''));
      throw new Error('the commit was sent, and no answer came');
    },
  };
  // Its clock continues as usual, so that the append is not late for another reason.
  const world: World = { ...realWorld, now: () => new Date(Date.now() + 10_800_000) };
  await runOn(world, ledger)(other.workspaceId, addMemory(world, other, memoryOf('in doubt')));
  expect(tried).toHaveLength(3);
  expect(tried[1]).toBe(tried[0]);
  expect((await times(other.workspaceId)).at(-1)).toBe(tried[2]);
  expect(Date.parse(tried[2] ?? '')).toBeGreaterThan(Date.parse(tried[0] ?? ''));
});
