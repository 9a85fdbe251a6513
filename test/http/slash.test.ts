import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiKey, type Service, startService } from './service.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const ask = async (method: string, path: string, body?: object) => {
  const answer = await fetch(`${service.app.server.listeningOrigin}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, json: text === '' ? null : JSON.parse(text) };
};

it('a slash behind an address of the API means the address, and no empty id', async () => {
  const { status, json: written } = await ask('POST', '/v1/memories/', { content: 'with a slash' });
  expect(status).toBe(202);
  await service.settled();
  expect((await ask('GET', '/v1/memories/?limit=1')).json.data).toHaveLength(1);
  expect((await ask('GET', `/v1/memories/${written.memory_id}/`)).json.id).toBe(written.memory_id);
  expect((await ask('GET', '/v1/receipts/')).status).toBe(200);
  expect((await ask('GET', '/v1/')).json.error.code).toBe('route_not_found');
  expect((await ask('GET', '/v1/memories//')).status).toBe(404);
  expect((await ask('DELETE', `/v1/memories/${written.memory_id}/`)).status).toBe(200);
});
