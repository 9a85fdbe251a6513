import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLiveMarket } from '../../src/adapters/market/live-market.js';
import type { MarketThread } from '../../src/adapters/market/market-thread.js';
import { realWorld } from '../../src/base/world.js';
import { changeWorkspace } from '../../src/commands/change-workspace.js';
import { recordTasks } from '../../src/commands/record-tasks.js';
import type { Caller } from '../../src/domain/caller.js';
import { type FeedName, feedNames } from '../../src/domain/market/feeds/all.js';
import type { NewestFeeds } from '../../src/domain/market/feeds/served.js';
import { createSettledTimes } from '../../src/ledger/settled.js';
import { makingFeeds } from '../../src/workers/feeds/making.js';
import { createPublished } from '../../src/workers/feeds/published.js';
import { newStore, type Store } from '../maintenance/store.js';
import { fillTasks, installation, newTask } from '../support/tasks.js';

let store: Store;
let caller: Caller;
let ahead = 0;
beforeAll(async () => {
  store = await newStore();
  caller = await store.openWorkspace();
});
afterAll(() => store.close());

const world = { ...realWorld, now: () => new Date(Date.now() + ahead), sleep: async () => undefined };
const minute = 60_000;
const never = new AbortController().signal;

/** A process that makes feeds. Its market is in this thread, and ends when the test says so. */
function newProcess(openMarket: (t: number) => MarketThread = marketFrom) {
  const published = createPublished();
  const parts = { database: store.database, settledTimes: createSettledTimes(store.database), world, published };
  const emptyMarket = (t: number) => createLiveMarket(installation.tags, t);
  return { published, ...makingFeeds({ ...parts, openMarket, emptyMarket }) };
}

const markets: { fail(): void }[] = [];

function marketFrom(t: number): MarketThread {
  let failure: Error | undefined;
  markets.push({
    fail: () => {
      failure = new Error('out of memory');
    },
  });
  return { ...createLiveMarket(installation.tags, t), failure: () => failure, close: async () => undefined };
}

const textOf = (newest: NewestFeeds | null, name: FeedName) =>
  Buffer.from(newest?.feeds[name].identity.bytes ?? []).toString('utf8');
const textsOf = (newest: NewestFeeds | null) => feedNames.map((name) => textOf(newest, name));
const receiptsIn = (newest: NewestFeeds | null): number =>
  JSON.parse(textOf(newest, 'terminal')).summary.evidence.receipts;

/** A public receipt of a task that ends now, and so crosses every edge of the windows later. */
async function submitRecent(): Promise<void> {
  const { workspaceId } = caller;
  const change = { name: undefined, publish_task_receipts: true };
  await store.run(workspaceId, changeWorkspace(realWorld, installation.tags, { ...caller, role: 'owner' }, change));
  const now = new Date().toISOString();
  const task = newTask('recent', { task: { started_at: now, ended_at: now } });
  await store.run(workspaceId, recordTasks(installation, caller, [task]));
}

// @covers FEED-STORED FEED-EVERY-RECEIPT
it('a process that follows, one that starts, and one whose market was lost make the same bytes', async () => {
  const first = newProcess();
  await first.job.work(never);
  expect(receiptsIn(first.published.newest)).toBe(0);
  await fillTasks(store, caller);
  await submitRecent();
  ahead = 2 * minute;
  await first.job.work(never);
  const some = receiptsIn(first.published.newest);
  expect(some).toBeGreaterThan(0);
  await fillTasks(store, await store.openWorkspace());
  for (const jump of [4 * minute, 26 * 60 * minute, 50 * 60 * minute, 31 * 24 * 60 * minute]) {
    ahead = jump;
    await first.job.work(never);
    const other = newProcess();
    await other.job.work(never);
    expect(textsOf(other.published.newest)).toEqual(textsOf(first.published.newest));
    expect(other.published.newest?.feeds).toEqual(first.published.newest?.feeds);
  }
  expect(receiptsIn(first.published.newest)).toBe(2 * some - 1);
  const whole = first.published.newest;
  for (const market of markets) market.fail();
  await first.job.work(never);
  expect(first.published.newest?.feeds).toEqual(whole?.feeds);
  // A start shows what was stored, also while the market cannot be filled.
  const started = newProcess(() => {
    throw new Error('no thread');
  });
  await expect(started.job.work(never)).rejects.toThrow('no thread');
  expect(textsOf(started.published.newest)).toEqual(textsOf(whole));
  ahead = 0;
  expect(await first.job.work(never)).toBe(false);
  expect(first.published.newest?.t).toBe(whole?.t);
});
