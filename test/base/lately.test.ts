import { expect, it } from 'vitest';
import { createLately } from '../../src/base/lately.js';
import { idsSince, realWorld } from '../../src/base/world.js';

it('remembers the last time only, and counts the start', () => {
  let uptime = 1000;
  const lately = createLately({ uptime: () => uptime });
  uptime = 1010;
  expect([lately.isWithin(10), lately.isWithin(9)]).toEqual([true, false]);
  lately.note();
  uptime = 1020;
  expect([lately.isWithin(10), lately.isWithin(9)]).toEqual([true, false]);
});

it('gives the least id of the last milliseconds', () => {
  const made = '0198c5a2-7b1e-7c3d-8e4f-00112233aabb';
  expect(idsSince({ id: () => made }, 0x1b1e)).toBe('0198c5a2-6000-0000-0000-000000000000');
  expect(idsSince({ id: () => made }, Number.MAX_SAFE_INTEGER)).toBe('00000000-0000-0000-0000-000000000000');
  const since = idsSince(realWorld, 1000);
  expect(since < realWorld.id()).toBe(true);
});
