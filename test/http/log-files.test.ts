import { afterAll, beforeAll, expect, it } from 'vitest';
import { prove } from './log-reader.js';
import { type Service, startService } from './service.js';

let service: Service;
beforeAll(async () => {
  service = await startService({ RATE_LIMITS: 'on' });
});
afterAll(() => service.stop());

it('lets log clients read more files than API calls, and says when it is too many', async () => {
  await prove(service, 'under a checkpoint');
  const url = `${service.app.server.listeningOrigin}/v1/ledger`;
  for (let at = 0; at < 400; at += 1) {
    const { status } = await fetch(`${url}/tile/0/000.p/1`);
    expect(status).toBe(200);
  }
  const checkpoint = await fetch(`${url}/checkpoint`);
  expect((await service.call('GET', '/v1/receipts')).status).toBe(200);
  let refused = checkpoint;
  for (let at = 0; at < 1200 && refused.status === 200; at += 1) refused = await fetch(`${url}/keys`);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await service.call('GET', '/v1/receipts')).status).toBe(200);
});
