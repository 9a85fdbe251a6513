import { expect, it } from 'vitest';
import { createQueue } from '../../src/domain/queue.js';

/** The order in which the tasks of these owners run, one at a time, when all arrive at once. */
async function order(owners: readonly string[]): Promise<string> {
  const queue = createQueue({ atOnce: 1, heldBytes: 100 });
  const ran: string[] = [];
  await Promise.all(owners.map((owner) => queue(1, async () => void ran.push(owner), owner)));
  return ran.join('');
}

it('alternates between the tasks of several owners, each in their order', async () => {
  expect(await order([...'aaaaaabbc'])).toBe('aabcabaaa');
  expect(await order([...'aaa'])).toBe('aaa');
});

it('runs so many at once and no more, also after failures', async () => {
  const queue = createQueue({ atOnce: 2, heldBytes: 100 });
  let [running, most] = [0, 0];
  const task = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 1));
    running -= 1;
    throw new Error('it failed');
  };
  const ended = await Promise.allSettled(Array.from({ length: 9 }, (_, n) => queue(1, task, `owner ${n % 3}`)));
  expect([most, ended.every(({ status }) => status === 'rejected')]).toEqual([2, true]);
  expect(await queue(100, async () => 'free again')).toBe('free again');
  await expect(queue(101, async () => 'too much')).rejects.toMatchObject({ code: 'rate_limited' });
});
