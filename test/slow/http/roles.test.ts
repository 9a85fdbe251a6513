import { expect, it } from 'vitest';
import { startService } from '../../http/service.js';

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it('a process without the role http answers only how it is', async () => {
  const service = await startService({ ROLES: 'ingest' });
  const status = async (path: string) => (await fetch(`${service.app.server.listeningOrigin}${path}`)).status;
  expect(await Promise.all(['/healthz', '/readyz', '/metrics'].map(status))).toEqual([200, 200, 200]);
  const others = ['/v1/memories', '/v1/session', '/v1/ledger/checkpoint', '/', '/developers', '/healthz/no'];
  expect(await Promise.all(others.map(status))).toEqual(others.map(() => 404));
  await service.stop();
});

it('work waits until a process takes up its role', async () => {
  const service = await startService({ ROLES: 'http' });
  // Too long to be indexed with its write.
  const content = `for another process ${'with more work than time, '.repeat(200)}`;
  const { json: written } = await service.call('POST', '/v1/memories', { content });
  const stage = async () => (await service.call('GET', `/v1/ingest/${written.job_id}`)).json.stage;
  await sleep(1500);
  expect(await stage()).toBe('queued');
  const { status, json: ready } = await service.call('GET', '/readyz');
  expect(status).toBe(200);
  expect(ready.warnings).toHaveLength(4);
  expect(ready.warnings[0]).toMatch(
    /^No process has the role ingest: searches do not find memories that wait for a job.* ROLES /,
  );
  const held = async () => (await service.call('GET', '/metrics')).text.match(/^counterfoil_role_processes.*$/gm);
  expect(await held()).toContain('counterfoil_role_processes{role="ingest"} 0');
  service.app.start({ roles: ['http', 'ingest', 'webhooks', 'anchoring', 'upkeep'] });
  await service.settled();
  expect(await stage()).toBe('done');
  await sleep(1100);
  expect((await service.call('GET', '/readyz')).json.warnings).toEqual([]);
  expect(await held()).toContain('counterfoil_role_processes{role="ingest"} 1');
  await service.stop();
});
