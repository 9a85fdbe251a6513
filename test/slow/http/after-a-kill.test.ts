import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openEmbedded } from '../../../src/database/embedded.js';
import { startService } from '../../http/service.js';

test('memories that a killed service was working on are searchable soon after the next start', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-test-'));
  const first = await startService({ DATA_DIR: directory });
  const written = await first.call('POST', '/v1/memories', { content: 'The heron nests by the weir. '.repeat(200) });
  await first.settled();
  await first.stop();

  // As a kill leaves it: the job is held by a process that is gone, for most of a minute to come.
  const store = await openEmbedded(directory);
  await store.transaction((tx) =>
    tx.query(
      `update jobs set stage = 'embedding', lease_owner = gen_random_uuid(), lease_until = now() + interval '55 seconds'`,
    ),
  );
  await store.close();

  const second = await startService({ DATA_DIR: directory });
  // Waits for 15 seconds at most.
  await second.settled();
  const { json } = await second.call('GET', `/v1/memories/${written.json.memory_id}`);
  expect(json.status).toBe('ready');
  await second.stop();
  rmSync(directory, { recursive: true, force: true });
});
