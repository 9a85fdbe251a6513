import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Service as Process, start } from '../faults/service-process.js';
import { ask } from '../http/ask.js';
import { apiKey, type Service, startService } from '../http/service.js';
import { preparedDatabase } from '../support/prepared-store.js';

const directory = mkdtempSync(join(tmpdir(), 'counterfoil-read-after-write-'));
let here: Service;
let there: Process;
beforeAll(async () => {
  const env = { DATABASE_URL: await preparedDatabase(), DATA_DIR: directory, BASE_URL: 'http://counterfoil.test' };
  here = await startService(env);
  there = await start({ ...env, PORT: '0', OTS_CALENDARS: 'off' });
});
afterAll(async () => {
  await there.kill();
  await here.stop();
  rmSync(directory, { recursive: true, force: true });
});

// @covers SEARCH-OWN-WRITES
it('a search in one process finds what its credential has just written in another one', async () => {
  for (const bird of ['ruff', 'whimbrel', 'godwit', 'turnstone', 'sanderling', 'dotterel', 'phalarope', 'greenshank']) {
    const { json } = await here.call('POST', '/v1/memories', { content: `The warden counted one ${bird}.` });
    const found = await ask(there.origin, 'POST', '/v1/memories/search', {
      headers: { authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ query: bird, k: 1 }),
    });
    expect(found.json.data).toMatchObject([{ memory_id: json.memory_id }]);
  }
});
