import { expect, it } from 'vitest';
import { createNotedUses } from '../../src/http/noted-uses.js';

// @covers AGK-USED
it('a use is noted once a minute, and one that cannot be written does not matter', async () => {
  let now = 0;
  const written: [string, number][] = [];
  const note = createNotedUses(
    () => new Date(now),
    async (id, at) => {
      written.push([id, at.getTime()]);
      throw new Error('the database does not answer');
    },
  );
  for (const at of [0, 1000, 59_999, 60_000, 61_000]) {
    now = at;
    note('a');
    note('b');
  }
  expect(written).toEqual([
    ['a', 0],
    ['b', 0],
    ['a', 60_000],
    ['b', 60_000],
  ]);
});
