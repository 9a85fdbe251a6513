import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Database } from '../../src/database/database.js';
import { foregroundFirst } from '../../src/database/priority.js';

const nothing = { query: async () => [], select: async () => [], write: async () => undefined };
const database: Database = {
  transaction: (work) => work(nothing),
  read: (work) => work(nothing),
  readEach: (work) => work(nothing),
  maintain: async () => undefined,
  close: async () => undefined,
};

test('background work begins soon although someone polls all the time', async () => {
  const { foreground, background } = foregroundFirst(database);
  let polling = true;
  const poller = (async () => {
    while (polling) await foreground.read(() => pause(4));
  })();
  const from = performance.now();
  for (let i = 0; i < 4; i += 1) await background.transaction(async () => undefined);
  // It was 300 ms for each of them.
  expect(performance.now() - from).toBeLessThan(1000);
  polling = false;
  await poller;
});

test('background work waits while someone has asked for something', async () => {
  const { foreground, background } = foregroundFirst(database);
  const done: string[] = [];
  await Promise.all([
    foreground.read(async () => {
      await pause(1);
      done.push('foreground');
    }),
    background.read(async () => void done.push('background')),
  ]);
  expect(done).toEqual(['foreground', 'background']);
});
