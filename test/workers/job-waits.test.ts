import { expect, it, vi } from 'vitest';
import type { Stage } from '../../contracts/memory.js';
import { realWorld as world } from '../../src/base/world.js';
import type { Database } from '../../src/database/database.js';
import { createJobWaits } from '../../src/workers/job-waits.js';

const log = { error: vi.fn(), info: vi.fn(), warn: vi.fn() };

/** Waits on jobs whose stages a test sets. */
function waiting() {
  const stages = new Map<string, Stage>();
  let looks = 0;
  const read: Database['read'] = (work) =>
    work({
      write: async () => undefined,
      select: async () => [],
      query: async () => {
        looks += 1;
        return JSON.parse(JSON.stringify([...stages].map(([job_id, stage]) => ({ job_id, stage }))));
      },
    });
  return { stages, waits: createJobWaits({ read }, { world, log }), looks: () => looks };
}

// @covers WAIT-PREFER
it('ends with the stage of the job, when it has ended, is gone, or the time is over', async () => {
  const { stages, waits } = waiting();
  for (const job of ['a', 'b', 'c']) stages.set(job, 'queued');
  const ended = [waits.until('a', 10_000), waits.until('b', 10_000), waits.until('c', 30)];
  await world.sleep(5);
  stages.set('a', 'failed').delete('b');
  waits.look();
  expect(await Promise.all(ended)).toEqual(['failed', null, 'queued']);
  expect(waits.count()).toBe(0);
});

// @covers SEARCH-OWN-WRITES
it('waits for several jobs as one request, and says which have not ended', async () => {
  const { stages, waits } = waiting();
  for (const job of ['a', 'b', 'c', 'd']) stages.set(job, 'queued');
  const [both, some] = [waits.all(['a', 'b'], 10_000), waits.all(['b', 'c', 'd'], 30)];
  expect(waits.count()).toBe(2);
  stages.set('a', 'done').set('d', 'done').delete('b');
  waits.look();
  expect([await both, await some]).toEqual([[], ['c']]);
  waits.close();
  expect(await waits.all(['c'], 10_000)).toBeNull();
});

// @covers WAIT-PLACES
it('allows a limited number of requests wait, which look together', async () => {
  const { stages, waits, looks } = waiting();
  const gone = new AbortController();
  const all = Array.from({ length: 256 }, (_, at) => {
    stages.set(String(at), 'embedding');
    return waits.until(String(at), 10_000, at === 0 ? gone.signal : undefined);
  });
  expect(await waits.until('one more', 10_000)).toBeNull();
  gone.abort();
  expect(waits.count()).toBe(255);
  const next = waits.until('1', 10_000);
  waits.look();
  await world.sleep(20);
  expect(looks()).toBeLessThan(4);
  waits.close();
  expect(new Set(await Promise.all([...all.slice(1), next]))).toEqual(new Set(['embedding']));
  expect(await waits.until('1', 10_000)).toBeNull();
});

it('waits on while the store does not answer', async () => {
  let fails = true;
  const read: Database['read'] = async (work) => {
    if (fails) throw new Error('away');
    return work({
      write: async () => undefined,
      select: async () => [],
      query: async () => JSON.parse('[{"job_id":"a","stage":"done"}]'),
    });
  };
  const waits = createJobWaits({ read }, { world: { sleep: () => world.sleep(1) }, log });
  const ended = waits.until('a', 10_000);
  await world.sleep(5);
  fails = false;
  expect(await ended).toBe('done');
});
