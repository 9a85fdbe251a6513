import { expect, test } from 'vitest';
import { sentenceOfDoubt, watchClock } from '../../src/domain/clock.js';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const start = Date.parse('2026-03-14T09:00:00.000Z');

/** A machine that has been running for a day, with a clock that can be set. */
function machine(newestMs: number) {
  const shown = { clock: start, uptime: day };
  const watch = watchClock(() => ({ ...shown }), newestMs);
  return {
    ...watch,
    pass(ms: number) {
      shown.clock += ms;
      shown.uptime += ms;
    },
    set(ms: number) {
      shown.clock += ms;
    },
    isBelieved: () => watch.look() === null,
  };
}

test.each([
  hour,
  -hour,
  400 * day,
  -day,
  6 * minute,
])('a clock that is set by %i ms is believed again when it is set right', (step) => {
  const one = machine(start - hour);
  expect(one.isBelieved()).toBe(true);
  one.set(step);
  expect(one.isBelieved()).toBe(false);
  one.pass(45_000);
  expect(one.look()).toEqual({ shownMs: start + step + 45_000, otherMs: start + 45_000, since: 'step' });
  one.set(-step);
  expect(one.isBelieved()).toBe(true);
});

test('a clock that is set by a little, again and again, is believed, and so is a machine that has slept', () => {
  const one = machine(start);
  for (let times = 0; times < 20; times += 1) {
    one.set(4 * minute);
    one.pass(minute);
    expect(one.isBelieved()).toBe(true);
  }
  one.pass(9 * day);
  expect(one.isBelieved()).toBe(true);
});

test('a start is believed up to a day after the newest entry, and in a store that was never used', () => {
  expect(machine(start - day).isBelieved()).toBe(true);
  expect(machine(start - day - 1).look()).toEqual({ shownMs: start, otherMs: start - day - 1, since: 'start' });
  expect(machine(0).isBelieved()).toBe(true);
});

test('a start with a clock that is ahead waits until it is set right', () => {
  const one = machine(start - 400 * day);
  expect(one.isBelieved()).toBe(false);
  one.set(-400 * day + hour);
  expect(one.isBelieved()).toBe(true);
  one.set(400 * day);
  expect(one.isBelieved()).toBe(false);
});

test('a clock that was set or is ahead is believed when the ledger was settled up to its time', () => {
  const started = machine(start - 3 * day);
  expect(started.isBelieved()).toBe(false);
  started.learn(start - 5000);
  expect(started.isBelieved()).toBe(true);

  const stepped = machine(start - hour);
  expect(stepped.isBelieved()).toBe(true);
  stepped.set(3 * day);
  // Another process continues with the right clock.
  stepped.learn(start);
  expect(stepped.isBelieved()).toBe(false);
  stepped.learn(start + 3 * day - 5000);
  expect(stepped.isBelieved()).toBe(true);
});

test('a clock that was behind the newest entry at the start is believed, and again when it was set right', () => {
  const one = machine(start + 40 * day);
  expect([one.isBelieved(), one.behindMs()]).toEqual([true, 40 * day]);
  one.set(40 * day + hour);
  expect([one.isBelieved(), one.behindMs()]).toEqual([true, 0]);
  const other = machine(start + 40 * day);
  expect(other.isBelieved()).toBe(true);
  other.set(400 * day);
  expect(other.isBelieved()).toBe(false);
});

test('a doubt names both times, and what to do where the clock is right', () => {
  const doubt = { shownMs: start + 3 * day, otherMs: start, since: 'start' } as const;
  expect(sentenceOfDoubt(doubt)).toBe(
    'The clock shows 2026-03-17T09:00:00.000Z, more than a day after the newest entry of this store, which is of 2026-03-14T09:00:00.000Z. ' +
      'Nothing is recorded until it is clear which time is right. If the clock is wrong, set it right. If it is right, run counterfoil accept-clock.',
  );
  expect(sentenceOfDoubt({ ...doubt, since: 'step', shownMs: start - day })).toContain('start the service again.');
});
