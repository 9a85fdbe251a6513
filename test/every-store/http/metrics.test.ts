import { expect, it } from 'vitest';
import { eagerWorld, startService } from '../../http/service.js';

it('metrics count what was written, what waits, and how the database is', async () => {
  const service = await startService({ ROLES: 'http,webhooks,anchoring,upkeep' }, eagerWorld);
  const values = async () => {
    const { text } = await service.call('GET', '/metrics');
    return new Map(
      [...text.matchAll(/^(counterfoil_\S+) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)] as const),
    );
  };
  const value = (name: string) => async () => (await values()).get(name);
  const before = await values();
  // Long texts, which wait for a worker.
  for (const content of ['first ', 'second '])
    await service.call('POST', '/v1/memories', { content: content.repeat(1000) });
  await expect.poll(value('counterfoil_ingest_jobs{state="waiting"}')).toBe(2);
  const after = await values();
  const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  // The log is signed meanwhile, which is a command too.
  expect(grown('counterfoil_commands_total')).toBeGreaterThanOrEqual(2);
  expect(grown('counterfoil_entries_total')).toBeGreaterThanOrEqual(2);
  expect(after.get('counterfoil_ingest_oldest_seconds')).toBeGreaterThan(0);
  expect(after.get('counterfoil_ingest_jobs{state="failed"}')).toBe(0);
  expect(after.get('counterfoil_webhook_deliveries_waiting')).toBe(0);
  expect(after.get('counterfoil_database_up')).toBe(1);
  // A worker may wait for the one connection of an embedded store in the moment of a look.
  await expect.poll(value('counterfoil_database_waiting{pool="requests"}')).toBe(0);
  const connections = ['used', 'idle'].map((state) =>
    after.get(`counterfoil_database_connections{pool="requests",state="${state}"}`),
  );
  expect(connections.reduce((sum = 0, one = 0) => sum + one, 0)).toBeGreaterThan(0);
  expect(after.get('counterfoil_free_bytes')).toBeGreaterThan(0);
  expect(after.get('counterfoil_worker_failing{worker="closing"}')).toBe(0);
  expect([...after.keys()].filter((name) => name?.startsWith('counterfoil_build_info{'))).toHaveLength(1);
  service.app.start({ roles: ['http', 'ingest', 'webhooks', 'anchoring', 'upkeep'] });
  await service.settled();
  await expect.poll(value('counterfoil_ingest_jobs{state="waiting"}')).toBe(0);
  await service.stop();
});
