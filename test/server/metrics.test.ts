import { expect, it } from 'vitest';
import { silentProxy } from '../faults/silent-proxy.js';
import { startService } from '../http/service.js';
import { dropDatabase, freshDatabase } from '../support/fresh-database.js';

it('metrics come while the database is silent, without values that it would have to give', async () => {
  const direct = await freshDatabase();
  const proxy = await silentProxy(direct);
  const service = await startService({ DATABASE_URL: proxy.url, LOG_LEVEL: 'silent' });
  const metrics = async () => (await service.call('GET', '/metrics')).text;
  await expect.poll(metrics).toContain('counterfoil_database_up 1');
  expect(await metrics()).toMatch(/^counterfoil_ingest_jobs\{state="waiting"\} 0$/m);
  proxy.silence();
  await service.call('POST', '/v1/memories', { content: 'no one hears it' });
  const text = await metrics();
  expect(text).toContain('counterfoil_database_up 0');
  expect(text).not.toMatch(/^counterfoil_(ingest_jobs|role_processes|log_leaves|checkpoint_age_seconds)[ {]/m);
  expect(text).toMatch(/^counterfoil_unavailable_total\{cause="(database|receipt_unavailable|not_ready)"\} 1$/m);
  expect(text).toMatch(/^counterfoil_build_info\{/m);
  proxy.recover('forgotten');
  await expect.poll(metrics).toContain('counterfoil_database_up 1');
  await service.stop();
  await proxy.close();
  await dropDatabase(direct);
});
