import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Due } from '../../../projections/due.js';
import { realWorld, type World } from '../../../src/base/world.js';
import { countingWrites, everNew } from '../../../src/database/revision.js';
import { createLookout, type DueJob } from '../../../src/workers/lookout.js';
import type { Worker } from '../../../src/workers/loop.js';
import { newStore, type Store } from '../../maintenance/store.js';

let store: Store;
let running: Worker[] = [];
beforeAll(async () => {
  store = await newStore();
  await store.sql('create table work (name text, due_at timestamptz)');
});
beforeEach(() => store.sql('delete from work'));
afterEach(async () => {
  await Promise.all(running.map((worker) => worker.stop()));
  running = [];
});
afterAll(() => store.close());

const silent = { error: () => undefined, warn: () => undefined, info: () => undefined };
/** The second between two looks is five milliseconds. */
const quick: World = { ...realWorld, sleep: (ms, signal) => realWorld.sleep(ms === 1000 ? 5 : ms, signal) };

const dueOf =
  (name: string): Due =>
  (bind) =>
    `(select min(due_at) from work where name = ${bind(name)})`;

/** A lookout over jobs that count their steps, and how often it has asked the database. */
function lookoutOver(isAlone: boolean, ...jobs: (Partial<DueJob> & { readonly name: string })[]) {
  const counted = isAlone ? countingWrites(store.database) : { store: store.database, revision: everNew() };
  let passedMs = 0;
  let asked = 0;
  const lookout = createLookout({
    world: { ...quick, now: () => new Date(realWorld.now().getTime() + passedMs) },
    log: silent,
    revision: counted.revision,
    database: {
      readEach: (work) => {
        asked += 1;
        return store.database.readEach(work);
      },
    },
  });
  const steps = new Map<string, number>();
  const workers = jobs.map((job) =>
    lookout.worker({
      due: dueOf(job.name),
      napMs: 1000,
      // Only a call of wake() ends this nap.
      async work() {
        steps.set(job.name, (steps.get(job.name) ?? 0) + 1);
        return false;
      },
      ...job,
    }),
  );
  const looking = lookout.workers[0]?.[1];
  if (!looking) throw new Error('there is no lookout');
  running = [looking, ...workers];
  for (const worker of running) worker.start();
  return {
    database: counted.store,
    steps: (name: string) => steps.get(name) ?? 0,
    asked: () => asked,
    pass(ms: number) {
      passedMs += ms;
    },
  };
}

const soon = () => realWorld.sleep(100);
const insert = (name: string, at: string) => `insert into work values ('${name}', ${at})`;

it('wakes the worker that has work, and no other', async () => {
  const { database, steps } = lookoutOver(true, { name: 'one' }, { name: 'other' });
  await soon();
  const before = [steps('one'), steps('other')];
  await database.transaction((tx) => tx.query(insert('one', 'now()')));
  await expect.poll(() => steps('one')).toBeGreaterThan(before[0] ?? 0);
  expect(steps('other')).toBe(before[1]);
});

it('wakes a worker as long as there is work, and once when there is none any more', async () => {
  const { database, steps } = lookoutOver(true, { name: 'one' });
  await database.transaction((tx) => tx.query(insert('one', 'now()')));
  await expect.poll(() => steps('one')).toBeGreaterThan(3);
  await database.transaction((tx) => tx.query('delete from work'));
  await soon();
  const ended = steps('one');
  await soon();
  expect(steps('one')).toBe(ended);
});

it('wakes it when the time of its work has come, although nothing is written', async () => {
  const { database, steps, pass, asked } = lookoutOver(true, { name: 'one' });
  await database.transaction((tx) => tx.query(insert('one', "now() + interval '1 hour'")));
  await soon();
  const before = { steps: steps('one'), asked: asked() };
  await soon();
  expect({ steps: steps('one'), asked: asked() }).toEqual(before);
  pass(3_600_000);
  await expect.poll(() => steps('one')).toBeGreaterThan(before.steps);
});

it('asks nothing of a store of its own while nothing is written', async () => {
  const { asked } = lookoutOver(true, { name: 'one' });
  await soon();
  const before = asked();
  await soon();
  expect(asked()).toBe(before);
});

it('sees what another process has written to a store that they share', async () => {
  const { steps } = lookoutOver(false, { name: 'one' });
  await soon();
  const before = steps('one');
  await store.sql(insert('one', 'now()'));
  await expect.poll(() => steps('one')).toBeGreaterThan(before);
});

it('wakes a worker that waits for something else each second', async () => {
  const { steps } = lookoutOver(true, { name: 'one', isWaiting: () => true });
  await expect.poll(() => steps('one')).toBeGreaterThan(3);
});

it('misses nothing that is written while it asks', async () => {
  const { database, steps } = lookoutOver(true, { name: 'one' });
  for (let n = 0; n < 20; n += 1) {
    await database.transaction((tx) => tx.query('delete from work'));
    const before = steps('one');
    await realWorld.sleep(Math.random() * 10);
    await database.transaction((tx) => tx.query(insert('one', 'now()')));
    await expect.poll(() => steps('one')).toBeGreaterThan(before);
  }
});
