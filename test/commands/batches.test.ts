import { afterAll, beforeAll, expect, it } from 'vitest';
import { realWorld as world } from '../../src/base/world.js';
import { addMemory } from '../../src/commands/add-memory.js';
import { createRun, type Run } from '../../src/commands/run.js';
import { stateLoader } from '../../src/commands/state/state.js';
import type { Caller } from '../../src/domain/caller.js';
import type { Commit, Ledger } from '../../src/ledger/ledger.js';
import { ledgerWithoutQueue } from '../ledger/engines.js';
import { memoryOf } from '../maintenance/memories.js';
import { newStore, type Store } from '../maintenance/store.js';

let store: Store;
let caller: Caller;
let run: Run;
/** Every append, in its order. */
const appends: (readonly Commit[])[] = [];
/** The milliseconds that the clock was set forward. */
let skippedMs = 0;
let duringAppend = () => {};
beforeAll(async () => {
  store = await newStore();
  caller = await store.openWorkspace();
  const real = ledgerWithoutQueue(store.database);
  const ledger: Ledger = {
    ...real,
    append(chain, expected, commits, isLate) {
      appends.push(commits);
      duringAppend();
      return real.append(chain, expected, commits, isLate);
    },
  };
  const now = () => new Date(world.now().getTime() + skippedMs);
  run = createRun(ledger, stateLoader(store.database, now), { ...world, now });
});
afterAll(() => store.close());

const bytesOf = (commits: readonly Commit[]): number =>
  commits
    .flatMap(({ entries, deposits }) => [
      ...entries.map(({ bytes }) => bytes.length),
      ...deposits.flatMap(({ texts }) => Object.values(texts).map((text) => text.length)),
    ])
    .reduce((sum, bytes) => sum + bytes, 0);

const write = (content: string) => run(caller.workspaceId, addMemory(world, caller, memoryOf(content)));

it('commands that wait are appended together up to 768 KiB, in their order, and larger ones alone', async () => {
  const sizes = [100_000, 300_000, 300_000, 200_000, 1_000_000, 10, 10, 700_000, 10];
  const added = await Promise.all(sizes.map((size, i) => write(`${i} `.padEnd(size, 'x'))));
  expect(appends.map((commits) => commits.length)).toEqual([3, 1, 1, 4]);
  for (const commits of appends) expect(commits.length === 1 || bytesOf(commits) <= 768 * 1024).toBe(true);
  const rows = await store.sql<{ id: string }>('select id::text from memories order by seq');
  expect(rows.map(({ id }) => id)).toEqual(added.map(({ memory_id }) => memory_id));
});

it('many small commands that wait are one append', async () => {
  await write('the first');
  appends.length = 0;
  await Promise.all(Array.from({ length: 120 }, (_, i) => write(`small ${i}`)));
  expect(appends.length).toBeLessThanOrEqual(2);
});

it('one command with a thousand entries is one append', async () => {
  const ids = await Promise.all(Array.from({ length: 1000 }, (_, i) => store.add(caller, `of a thousand ${i}`)));
  const before = await store.sql('select 1 from memories');
  await store.approvals(caller, ids);
  const after = await store.sql('select 1 from memories');
  expect(after.length).toBe(before.length - 1000);
  const transactions = await store.sql<{ entries: number }>(
    'select count(*) as entries from entries group by xmin::text order by 1 desc limit 1',
  );
  expect(transactions).toEqual([{ entries: 1000 }]);
});

it('entries whose append takes more than 4 s get a new time, however often', async () => {
  appends.length = 0;
  duringAppend = () => {
    if (appends.length < 6) skippedMs += 4100;
  };
  await write('late');
  duringAppend = () => {};
  const times = appends.map((commits) => Date.parse(commits[0]?.entries[0]?.entry.recorded_at ?? ''));
  expect(times).toHaveLength(6);
  for (const [at, time] of times.entries()) {
    if (at > 0) expect(time - (times[at - 1] ?? 0)).toBeGreaterThanOrEqual(4100);
  }
  const [last] = await store.sql<{ recorded_at: string }>('select recorded_at from receipts order by seq desc limit 1');
  expect(Date.parse(last?.recorded_at ?? '')).toBe(times.at(-1));
});

it('entries whose append takes less keep their time', async () => {
  appends.length = 0;
  duringAppend = () => {
    skippedMs += 3500;
  };
  await write('in time');
  duringAppend = () => {};
  expect(appends).toHaveLength(1);
});
