import { expect, it } from 'vitest';
import { realWorld } from '../../src/base/world.js';
import { createWorker, type Job } from '../../src/workers/loop.js';
import { until } from '../support/until.js';

interface Line {
  readonly level: string;
  readonly text: string;
}

/** A worker that naps for ten minutes, unless a test says otherwise, with what it has logged. */
function workerOf(job: Partial<Job> & Pick<Job, 'work'>) {
  const lines: Line[] = [];
  const write = (level: string) => (_members: object, text: string) => lines.push({ level, text });
  const log = { error: write('error'), warn: write('warn'), info: write('info') };
  const worker = createWorker({ world: realWorld, log }, { name: 'test', napMs: 600_000, ...job });
  return { worker, lines };
}

it('works as long as there is more, naps, and goes back to work when it is woken', async () => {
  let left = 3;
  let steps = 0;
  const { worker } = workerOf({
    async work() {
      steps += 1;
      left -= 1;
      return left > 0;
    },
  });
  await realWorld.sleep(20);
  expect(steps).toBe(0);
  worker.start();
  await until(() => steps === 3);
  await realWorld.sleep(20);
  expect(steps).toBe(3);
  left = 2;
  worker.wake();
  await until(() => steps === 5);
  await worker.stop();
  expect(steps).toBe(5);
});

it('does not nap when it was woken during a step that found nothing', async () => {
  let steps = 0;
  let release = () => undefined;
  const { worker } = workerOf({
    work: () =>
      new Promise((resolve) => {
        steps += 1;
        release = () => void resolve(false);
      }),
  });
  worker.start();
  await until(() => steps === 1);
  worker.wake();
  release();
  await until(() => steps === 2);
  release();
  await worker.stop();
});

it('logs a fault when it begins, when it changes, and when it is over', async () => {
  const faults = ['the database is away', 'the database is away', 'the disk is full', null];
  let steps = 0;
  const { worker, lines } = workerOf({
    pauseMs: 5,
    async work() {
      const fault = faults[steps];
      steps += 1;
      if (fault) throw new Error(fault);
      return steps < faults.length;
    },
  });
  worker.start();
  await until(() => steps === faults.length);
  await worker.stop();
  expect(lines.map(({ level }) => level)).toEqual(['error', 'error', 'info']);
});

it('waits after a fault, even when it is woken', async () => {
  let steps = 0;
  const { worker } = workerOf({
    pauseMs: 600_000,
    async work() {
      steps += 1;
      throw new Error('away');
    },
  });
  worker.start();
  await until(() => steps === 1);
  worker.wake();
  await realWorld.sleep(20);
  expect(steps).toBe(1);
  await worker.stop();
});

it('stops after the step in progress, then ends the job and gives back its lease', async () => {
  const events: string[] = [];
  const { worker } = workerOf({
    async work(stopping) {
      events.push('begun');
      await realWorld.sleep(600_000, stopping);
      events.push('finished');
      return true;
    },
    ended: async () => void events.push('ended'),
    lease: { take: async () => true, keep: async () => true, drop: async () => void events.push('dropped') },
  });
  worker.start();
  await until(() => events.length === 1);
  await worker.stop();
  expect(events).toEqual(['begun', 'finished', 'ended', 'dropped']);
});

it('waits for a step that does not end no longer than its bound, and says so', async () => {
  const { worker, lines } = workerOf({
    stopMs: 30,
    work: () => new Promise(() => undefined),
    ended: () => Promise.reject(new Error('must not run beside the step')),
  });
  worker.start();
  const from = performance.now();
  await worker.stop();
  expect(performance.now() - from).toBeLessThan(2000);
  expect(lines).toEqual([{ level: 'warn', text: expect.stringMatching(/middle of a step/) }]);
});

it('does nothing in a process that does not start it', async () => {
  const { worker } = workerOf({
    work: () => Promise.reject(new Error('must not run')),
    ended: () => Promise.reject(new Error('must not run')),
  });
  worker.wake();
  await worker.stop();
});
