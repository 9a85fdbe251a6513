import { expect, it } from 'vitest';
import { pauseAfter } from '../../src/base/backoff.js';

const pauses = (count: number, factor?: number) =>
  Array.from({ length: count }, (_, before) =>
    pauseAfter({ firstMs: 100, longestMs: 1000, ...(factor === undefined ? {} : { factor }) }, before),
  );

it('each pause is twice as long as the one before it, up to the longest', () => {
  expect(pauses(6)).toEqual([100, 200, 400, 800, 1000, 1000]);
  expect(pauses(3, 4)).toEqual([100, 400, 1000]);
});

it('stays at the longest pause however often something has failed', () => {
  expect(pauseAfter({ firstMs: 1, longestMs: 5000 }, 1_000_000)).toBe(5000);
});
