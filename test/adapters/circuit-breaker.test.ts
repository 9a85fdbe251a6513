import { expect, test } from 'vitest';
import { CircuitOpen, circuitBreaker } from '../../src/adapters/circuit-breaker.js';

// @covers ESR-BREAKER
test('after three failures one call in five seconds is made, until one succeeds', async () => {
  let now = 0;
  let calls = 0;
  const reported: string[] = [];
  const breaker = circuitBreaker(
    { opened: () => reported.push('opened'), closed: () => reported.push('closed') },
    () => now,
  );
  const failing = () => breaker.run(() => Promise.reject(new Error(`call ${++calls}`)));
  const working = () => breaker.run(async () => ++calls);
  await expect(failing()).rejects.toThrow('call 1');
  await expect(failing()).rejects.toThrow('call 2');
  expect(await working()).toBe(3);
  for (const n of [4, 5, 6]) await expect(failing()).rejects.toThrow(`call ${n}`);
  for (let i = 0; i < 10; i++) await expect(working()).rejects.toThrow(CircuitOpen);
  now = 5000;
  await expect(failing()).rejects.toThrow('call 7');
  now = 9999;
  await expect(working()).rejects.toThrow(CircuitOpen);
  now = 10_000;
  // While one call shows how it is, others do not wait for it.
  const [first, second] = await Promise.allSettled([working(), working()]);
  expect([first.status, second.status]).toEqual(['fulfilled', 'rejected']);
  expect(await working()).toBe(9);
  expect(reported).toEqual(['opened', 'closed']);
});
