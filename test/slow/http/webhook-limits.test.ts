import { afterAll, beforeAll, expect, it } from 'vitest';
import { signedIn } from '../../http/person.js';
import { type Service, startService } from '../../http/service.js';

const owner = { email: 'owner@example.org', password: 'a password of the owner' };
const agent = { 'x-service-agent': `agn_${'a'.repeat(32)}` };
let service: Service;
beforeAll(async () => {
  service = await startService({ RATE_LIMITS: 'on', OWNER_EMAIL: owner.email, OWNER_PASSWORD: owner.password });
  const person = await signedIn(service, owner);
  await person.call('POST', '/v1/agents', { agent_id: agent['x-service-agent'] });
});
afterAll(() => service.stop());

// @covers HOOK-RATE
it('takes 120 lists of webhooks a minute from an address, besides what else it asks', async () => {
  const list = () => service.call('GET', '/v1/webhooks', undefined, agent);
  const replies = await Promise.all(Array.from({ length: 125 }, list));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(120);
  const refused = replies.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(5);
  expect(refused[0]?.json.error.code).toBe('rate_limited');
  const response = await fetch(`${service.app.server.listeningOrigin}/v1/webhooks`);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  const body = { webhook_url: 'https://hooks.example.org/', pattern: { source: 'x' } };
  expect((await service.call('POST', '/v1/webhooks', body, agent)).status).toBe(201);
  expect((await service.call('GET', '/v1/memories')).status).toBe(200);
});
