import { expect, it } from 'vitest';
import { progressLines } from '../../src/cli/progress.js';

it('without a terminal, progress is a line every half minute, and none of what is quick', () => {
  const written: string[] = [];
  let at = 0;
  const display = progressLines({ write: (line: string) => written.push(line) > 0 }, () => at);
  for (const label of ['entries', 'vault', 'search', 'log']) {
    for (const done of [0, 50, 100]) display.report(label, done, 100);
  }
  expect(written).toEqual([]);
  for (at = 1000; at <= 61_000; at += 1000) display.report('documents', at, 100_000);
  expect(written).toEqual([
    'documents: 30000 of 100000, 1034/s, 1 min 8 s left\n',
    'documents: 60000 of 100000, 1017/s, 40 s left\n',
  ]);
});
