import { signedIn } from '../http/person.js';
import type { Service } from '../http/service.js';

export const ada = { email: 'ada@example.org', password: 'a password of the owner' };
export const long = 'a-name-without-any-space-that-has-the-most-characters-of-a-name-';

/** Makes something to show on each page. @returns the paths of pages of single things */
export async function fill(service: Service): Promise<string[]> {
  const person = await signedIn(service, ada);
  const make = async (path: string, body: object) => (await person.call('POST', path, body)).json;
  for (let made = 0; made < 15; made += 1) await make('/v1/namespaces', { name: `${long.slice(0, 60)}${made}` });
  const key = await make('/v1/keys', { name: long, agent_id: long, app_id: long });
  const link = await make('/v1/agents', { agent_id: 'agn_mfrggzdfmztwq2lknnwg23tpobyxe43u', name: long });
  const agentKey = await make(`/v1/agents/${link.id}/keys`, { name: long });
  const named = { 'x-service-agent': link.agent_id };
  const hooks = {
    webhook_url: 'https://hooks.example.org/in',
    name: long,
    pattern: { contains: 'second', source: long },
  };
  const hook = (await person.call('POST', '/v1/webhooks', hooks, named)).json;
  const ask_owner = [{ source: 'crawler' }, { source: long, app_id: long, min_bytes: 1000 }];
  await person.call('PUT', '/v1/rules', { pause_all: false, sensitive: 'redact', ask_owner });
  const held = async (content: string) => {
    const { json } = await service.call('POST', '/v1/memories', { content, source: 'crawler' });
    return json.error.details.approval_id;
  };
  await person.call('POST', `/v1/approvals/${await held('The ferry is late.')}/approve`);
  await held('The tram is late.');
  const memory = await make('/v1/memories', { content: `${long.repeat(4)}\nwith a second line`, source: long });
  const tried = await make('/v1/memories', { content: `A test: ${long.repeat(3)}`, playground: true });
  const gone = await make('/v1/memories', { content: 'A memory that is deleted.' });
  await person.call('DELETE', `/v1/memories/${gone.memory_id}`);
  const task = await make('/v1/receipts', {
    schema: 'task_receipt.v1',
    receipt_id: long,
    platform: 'custom',
    agent_handle: '@bot',
    task_type: 'review',
    status: 'success',
    started_at: '2026-11-01T10:00:00Z',
    ended_at: '2026-11-01T10:00:04Z',
    task_summary: `${long} was chosen.`,
  });
  const bulk = await person.call('POST', '/v1/memories/bulk-delete', { ids: [memory.memory_id] });
  await service.settled();
  const list = (kind: string) => person.call('GET', `/v1/receipts?kind=${kind}&limit=1`);
  const written = (await list('memory.write')).json.data[0].id;
  return [
    `/keys/${key.key_id}`,
    `/agents/${link.id}`,
    `/agents/${link.id}/unlink`,
    `/webhooks/${link.agent_id}/${hook.id}`,
    `/webhooks/${link.agent_id}/${hook.id}/delete`,
    `/keys/agents/${link.id}`,
    `/keys/agents/${link.id}/${agentKey.key_id}`,
    `/m/${memory.memory_id}`,
    ...['correct', 'invalidate', 'delete'].map((change) => `/m/${memory.memory_id}/${change}`),
    `/m/${tried.memory_id}/promote`,
    `/m/${gone.memory_id}`,
    '/receipts',
    `/receipts?kind=memory.*&open=${written}`,
    '/receipts?kind=webhook.*',
    '/receipts?follow=1',
    `/receipts/${written}`,
    `/receipts/${task.data[0].id}`,
    `/receipts/${task.data[0].id}/erase`,
    `/approvals/${bulk.json.error.details.approval_id}`,
    '/memories?q=ferry',
    '/memories?q=nothing-that-is-there',
  ];
}
