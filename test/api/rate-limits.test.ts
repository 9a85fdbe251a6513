import { expect, it } from 'vitest';
import { rateLimits as all } from '../../contracts/limits.js';
import { openRateLimiter } from '../../src/adapters/rate-limiter.js';
import { type Budget, createRateLimits } from '../../src/api/rate-limits.js';
import { realWorld } from '../../src/base/world.js';
import type { Caller } from '../../src/domain/caller.js';

const callerOf = (workspaceId: string): Caller => ({
  workspaceId,
  actor: { type: 'key', id: null, user_id: null, agent_id: null, app_id: null, run_id: null },
  scopes: [],
  namespaceIds: [],
  agent: null,
  role: null,
  memoryApi: true,
});

const outcome = (write: Promise<void>) =>
  write.then(
    () => 'written',
    (error: { code: string }) => error.code,
  );

/** @returns how many of these writes are allowed, one after the other */
async function written(write: () => Promise<void>, count: number): Promise<number> {
  let done = 0;
  for (let n = 0; n < count; n += 1) if ((await outcome(write())) === 'written') done += 1;
  return done;
}

it('a call with many messages gets four fifths of what is left of the writes, and leaves the rest to single ones', async () => {
  const limits = createRateLimits(openRateLimiter(null, realWorld));
  const a = callerOf('a');
  const call = () => {
    const ofOne = limits.ofOneCall();
    return written(() => ofOne.workspace(a, 'write'), 1000);
  };
  expect([await call(), await call()]).toEqual([480, 96]);
  expect(await written(() => limits.workspace(a, 'write'), 30)).toBe(24);
  expect(await call()).toBe(0);
  // Another workspace, and single writes of the interface, have all of their 600.
  expect(await written(() => limits.workspace(callerOf('b'), 'write'), 700)).toBe(all.writes.requests);
});

it('a batch gets as much, and the refusal of the rest says how long to wait', async () => {
  const limits = createRateLimits(openRateLimiter(null, realWorld));
  const budgets: Budget[] = [];
  const noting = limits.noting((budget) => budgets.push(budget));
  const batch = async (count: number) => {
    await noting.workspace(callerOf('a'), 'write');
    const { allowed, refusal } = await noting.writes(callerOf('a'), count - 1);
    expect(refusal.retryAfterSeconds).toBeGreaterThan(0);
    return 1 + allowed;
  };
  expect([await batch(1000), await batch(10), await batch(1000)]).toEqual([480, 10, 88]);
  expect(budgets.at(-1)?.remaining).toBe(22);
});

it('a call that writes once is allowed the last write of a minute', async () => {
  const limits = createRateLimits(openRateLimiter(null, realWorld));
  const a = callerOf('a');
  await written(() => limits.workspace(a, 'write'), 599);
  expect(await written(() => limits.ofOneCall().workspace(a, 'write'), 2)).toBe(1);
});
