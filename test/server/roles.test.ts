import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startService } from '../http/service.js';
import { freshDatabase } from '../support/fresh-database.js';

it('one process answers and another works: a write becomes searchable and a deletion leaves nothing', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-roles-'));
  const shared = { DATABASE_URL: await freshDatabase(), DATA_DIR: directory };
  const front = await startService({ ...shared, ROLES: 'http' });
  const back = await startService({ ...shared, ROLES: 'ingest,webhooks,anchoring,upkeep' });
  const { json: written } = await front.call('POST', '/v1/memories', { content: 'The heron waits in the reeds.' });
  await front.settled();
  const found = () => front.call('POST', '/v1/memories/search', { query: 'heron in the reeds' });
  expect((await found()).json.degraded ?? []).toEqual([]);
  expect((await found()).text).toContain(written.memory_id);
  expect((await front.call('DELETE', `/v1/memories/${written.memory_id}`)).status).toBe(200);
  const left = await front.app.database.read((tx) =>
    tx.query<{ rows: number }>(
      'select (select count(*) from search_documents) + (select count(*) from search_vectors) as rows',
    ),
  );
  expect(left).toEqual([{ rows: 0 }]);
  await back.stop();
  await front.stop();
  rmSync(directory, { recursive: true, force: true });
});
