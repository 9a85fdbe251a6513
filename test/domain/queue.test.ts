import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createQueue, type QueueLimits, type Task } from '../../src/domain/queue.js';

const wide: QueueLimits = { atOnce: 1, heldBytes: 1e12, own: { heldBytes: 1e12 } };
/** The cost of a task beside its bytes. */
const taskBytes = 4096;

/** A queue whose tasks end when they are asked to, one after the other in the order in which they started. */
function steered(limits: QueueLimits) {
  const queue = createQueue(limits);
  const started: Task[] = [];
  const running: (() => void)[] = [];
  return {
    started,
    running,
    send(task: Task) {
      void queue(task, () => {
        started.push(task);
        return new Promise<void>((resolve) => running.push(resolve));
      });
    },
    /** Ends the task that has run longest, and allows the next one to start. */
    async end() {
      running.shift()?.();
      await settled();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** The owners of tasks in the order in which they start, one at a time, when all arrive at once. */
async function order(tasks: readonly Task[]): Promise<Task[]> {
  const { send, end, started, running } = steered(wide);
  for (const task of tasks) send(task);
  await settled();
  while (running.length > 0) await end();
  return started;
}

const ofOwners = async (owners: string) =>
  (await order([...owners].map((owner) => ({ owner, bytes: 1 })))).map(({ owner }) => owner).join('');

it('alternates between the tasks of several owners, each in their order', async () => {
  expect(await ofOwners('aaaaaabbc')).toBe('aabcabaaa');
  expect(await ofOwners('aaa')).toBe('aaa');
});

it('gives owners equal bytes, not equal numbers of tasks', async () => {
  const large = { owner: 'large', bytes: 10 * taskBytes };
  const small = { owner: 'small', bytes: taskBytes };
  const ran = await order([...Array(4).fill(large), ...Array(40).fill(small)]);
  const had = { large: 0, small: 0 };
  for (const { owner, bytes } of ran.slice(
    0,
    ran.findLastIndex(({ owner }) => owner === 'large'),
  )) {
    had[owner === 'large' ? 'large' : 'small'] += bytes + taskBytes;
    expect(Math.abs(had.large - had.small)).toBeLessThanOrEqual(2 * (large.bytes + taskBytes));
  }
  expect(had.small).toBeGreaterThan(large.bytes);
});

it('starts the small tasks of an owner before its large ones, which still have their turn', async () => {
  const { send, end, started, running } = steered(wide);
  const large = { owner: 'one', bytes: 20 * taskBytes };
  const small = { owner: 'one', bytes: taskBytes };
  send(small);
  send(large);
  for (let n = 0; n < 5; n += 1) send(small);
  await settled();
  // New small ones keep coming.
  for (let n = 0; n < 40 && running.length > 0; n += 1) {
    send(small);
    await end();
  }
  const place = started.indexOf(large);
  expect(place).toBeGreaterThan(5);
  expect(place).toBeLessThan(20);
});

it('runs this number at once and no more, also after failures', async () => {
  const queue = createQueue({ atOnce: 2, heldBytes: 100, own: { heldBytes: 100 } });
  let [running, most] = [0, 0];
  const task = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 1));
    running -= 1;
    throw new Error('it failed');
  };
  const sent = Array.from({ length: 9 }, (_, n) => queue({ owner: `owner ${n % 3}`, bytes: 1 }, task));
  const ended = await Promise.allSettled(sent);
  expect([most, ended.every(({ status }) => status === 'rejected')]).toEqual([2, true]);
  expect(await queue({ owner: 'one', bytes: 100 }, async () => 'free again')).toBe('free again');
  const tooMuch = queue({ owner: 'one', bytes: 101 }, async () => 'too much');
  await expect(tooMuch).rejects.toMatchObject({ code: 'rate_limited' });
});

it('refuses an owner who holds its share, and still takes the work of others', async () => {
  const { send, started } = steered({ atOnce: 4, heldBytes: 100 });
  const queue = createQueue({ atOnce: 4, heldBytes: 100 });
  const never = () => new Promise<void>(() => undefined);
  void queue({ owner: 'a', bytes: 50 }, never);
  await expect(queue({ owner: 'a', bytes: 1 }, never)).rejects.toMatchObject({
    code: 'rate_limited',
    message: 'Many large requests of this workspace or address are in progress. Wait 5 s.',
  });
  expect(await queue({ owner: 'b', bytes: 50 }, async () => 'ran')).toBe('ran');
  // What is larger than the share runs when nothing else of its owner does.
  send({ owner: 'c', bytes: 80 });
  await settled();
  expect(started).toHaveLength(1);
});

it('keeps the places beyond the share of an owner for others', async () => {
  const { send, end, started } = steered({ atOnce: 2, heldBytes: 1000, own: { atOnce: 1 } });
  for (let n = 0; n < 3; n += 1) send({ owner: 'a', bytes: 1 });
  await settled();
  expect(started.map(({ owner }) => owner).join('')).toBe('a');
  send({ owner: 'b', bytes: 1 });
  await settled();
  expect(started.map(({ owner }) => owner).join('')).toBe('ab');
  await end();
  expect(started.map(({ owner }) => owner).join('')).toBe('aba');
});

const tasks = fc.array(
  fc.record({ owner: fc.constantFrom('a', 'b', 'c', 'd', 'e'), bytes: fc.oneof(fc.nat(100), fc.nat(1_000_000)) }),
  { minLength: 1, maxLength: 60 },
);

it('allows no one to wait for more bytes of another owner than it sends, no matter what others send before and after', async () => {
  await fc.assert(
    fc.asyncProperty(tasks, fc.nat(40), tasks, fc.integer({ min: 1, max: 3 }), async (before, ended, after, atOnce) => {
      const { send, end, started, running } = steered({ ...wide, atOnce });
      for (const task of before) send(task);
      await settled();
      for (let n = 0; n < ended; n += 1) await end();
      const from = started.length;
      const own = { owner: 'quiet', bytes: 50 };
      send(own);
      for (const task of after) send(task);
      await settled();
      while (running.length > 0) await end();
      expect(started).toHaveLength(before.length + after.length + 1);
      // One task of each, as the turns of the rest come: what follows it in the same turn is no longer than the own task.
      const later = new Map<string, number>();
      for (const { owner, bytes } of started.slice(from, started.indexOf(own))) {
        const had = later.get(owner);
        later.set(owner, had === undefined ? 0 : had + bytes + taskBytes);
      }
      expect(Math.max(0, ...later.values())).toBeLessThanOrEqual(own.bytes + taskBytes);
    }),
    { numRuns: 60 },
  );
});

it('does not let new owners overtake one who waits forever', async () => {
  const { send, end, started } = steered(wide);
  for (let n = 0; n < 3; n += 1) send({ owner: 'waits', bytes: 10 * taskBytes });
  for (let n = 0; n < 100; n += 1) {
    send({ owner: `new ${n}`, bytes: 1 });
    await end();
  }
  expect(started.filter(({ owner }) => owner === 'waits')).toHaveLength(3);
});

it('never holds or runs more than its bounds, for all and for each', async () => {
  await fc.assert(
    fc.asyncProperty(tasks, async (sent) => {
      const limits = { atOnce: 3, heldBytes: 2_000_000, own: { atOnce: 2, heldBytes: 800_000 } };
      const queue = createQueue(limits);
      const held = new Map<string, number>();
      const running = new Map<string, number>();
      const sumOf = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, one) => sum + one, 0);
      const add = (counts: Map<string, number>, owner: string, by: number) =>
        counts.set(owner, (counts.get(owner) ?? 0) + by);
      const work = async ({ owner }: Task) => {
        add(running, owner, 1);
        expect(running.get(owner)).toBeLessThanOrEqual(limits.own.atOnce);
        expect(sumOf(running)).toBeLessThanOrEqual(limits.atOnce);
        await settled();
        add(running, owner, -1);
      };
      await Promise.all(
        sent.map(async (task) => {
          const own = held.get(task.owner) ?? 0;
          const fits = sumOf(held) + task.bytes <= limits.heldBytes;
          const isTaken = fits && (own === 0 || own + task.bytes <= limits.own.heldBytes);
          if (isTaken) add(held, task.owner, task.bytes);
          const outcome = await queue(task, () => work(task)).then(
            () => 'ran',
            (error: unknown) => error,
          );
          if (isTaken) {
            expect(outcome).toBe('ran');
            add(held, task.owner, -task.bytes);
          } else expect(outcome).toMatchObject({ code: 'rate_limited' });
        }),
      );
    }),
    { numRuns: 30 },
  );
});

it('leaves places free for small tasks, also those of owners whose large ones wait', async () => {
  const { send, end, started, running } = steered({ ...wide, atOnce: 2, large: { bytes: 1000, atOnce: 1 } });
  for (const owner of ['a', 'b', 'c']) send({ owner, bytes: 2000 });
  await settled();
  expect(started.map(({ owner }) => owner)).toEqual(['a']);
  send({ owner: 'd', bytes: 10 });
  send({ owner: 'b', bytes: 10 });
  await settled();
  expect(started.map(({ owner }) => owner)).toEqual(['a', 'd']);
  running.pop()?.();
  await settled();
  expect(started.map(({ owner, bytes }) => `${owner} ${bytes}`)).toEqual(['a 2000', 'd 10', 'b 10']);
  while (running.length > 0) await end();
  expect(started.map(({ bytes }) => bytes)).toEqual([2000, 10, 10, 2000, 2000]);
});
