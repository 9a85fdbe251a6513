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

it('every process names the roles that none has, when one stops and when one is killed', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-roles-'));
  const shared = { DATABASE_URL: await freshDatabase(), DATA_DIR: directory };
  const front = await startService({ ...shared, ROLES: 'http' });
  const other = () => startService({ ...shared, ROLES: 'ingest,webhooks,anchoring,upkeep' });
  const absent = async () => {
    const { json } = await front.call('GET', '/readyz');
    return json.warnings.flatMap((one: string) => /^No process has the role (\w+):/.exec(one)?.[1] ?? []);
  };
  const all = ['ingest', 'webhooks', 'anchoring', 'upkeep'];
  expect(await absent()).toEqual(all);
  const second = await other();
  const third = await other();
  await expect.poll(absent).toEqual([]);
  const metrics = async () => (await front.call('GET', '/metrics')).text;
  await expect.poll(metrics).toContain('counterfoil_role_processes{role="upkeep"} 2');
  await second.stop();
  await expect.poll(absent).toEqual([]);
  // The rows of a process that was killed stay until their time is up.
  await front.app.database.transaction((tx) =>
    tx.query("update role_holders set until = now() - interval '1 second' where role <> 'http'"),
  );
  await expect.poll(absent).toEqual(all);
  await third.stop();
  await front.stop();
  rmSync(directory, { recursive: true, force: true });
});
