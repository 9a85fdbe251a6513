// The memory of a process can be measured only where no other test file runs in it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openEmbedded } from '../../../src/database/embedded.js';

test('memory does not grow with the queries and answers', { timeout: 300_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-test-'));
  const database = await openEmbedded(directory);
  const ask = async (times: number) => {
    for (let i = 0; i < times; i += 1) {
      await database.read((tx) => tx.query(`select repeat('x', 1000) as text from generate_series(1, 400)`));
    }
  };
  await ask(200);
  const before = process.memoryUsage().rss;
  await ask(1000);
  // The answers have 400 MB, which an earlier version did not release.
  expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(200);
  await database.close();
  rmSync(directory, { recursive: true, force: true });
});
