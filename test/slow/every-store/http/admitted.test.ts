import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { realWorld } from '../../../../src/base/world.js';
import { useHooks } from '../../../http/hooks.js';
import { code } from '../../../http/people.js';
import { quiet, status } from '../../../http/receiver.js';
import { api, faults } from '../../../openapi/document.js';
import { stores } from '../../../support/stores.js';

/** Which memories webhooks are notified of, and what they are sent. The same on every store. */
describe.each(stores)('admitted memories on %s', () => {
  const hooks = useHooks();
  const { by } = hooks;

  // @covers VERSION-CLIENTS HOOK-EVENT HOOK-READY HOOK-SIGNATURE HOOK-STANDARD
  it('reports a memory when it is ready, signed in two ways', async () => {
    const agent = await hooks.agent();
    const { id, secret } = await hooks.hook(agent, '/signed', { source: 'signed' });
    const memoryId = await hooks.write('An osprey took a trout.', { source: 'signed', metadata: { bird: 'osprey' } });
    const [sent] = await hooks.receiver().until(1, '/signed');
    const memory = (await hooks.as('owner').call('GET', `/v1/memories/${memoryId}`)).json;
    const receipt = (await hooks.as('owner').call('GET', `/v1/receipts/${memory.receipt_id}`)).json;
    const { content, status: ready, ...summary } = memory;
    expect(ready).toBe('ready');
    expect(sent?.json).toEqual({
      id: expect.any(String),
      type: 'memory.admitted',
      created_at: expect.any(String),
      data: {
        memory: { ...summary, excerpt: content, metadata_key_count: 1, metadata_truncated: false },
        receipt_id: memory.receipt_id,
        receipt_hash: receipt.hash,
      },
    });
    const payload = { $ref: '#/components/schemas/MemoryAdmitted' };
    expect(faults(payload, sent?.json)).toEqual([]);
    expect(api.webhooks['memory.admitted']?.post?.requestBody?.content['application/json']?.schema).toEqual(payload);
    expect([sent?.method, sent?.headers['content-type']]).toEqual(['POST', 'application/json; charset=utf-8']);
    const [, time = '', signature = ''] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(sent?.headers['x-service-signature'])) ?? [];
    expect(Math.abs(Number(time) - Date.now() / 1000)).toBeLessThan(60);
    expect(createHmac('sha256', secret).update(`${time}.${sent?.body}`).digest('hex')).toBe(signature);
    const headers = Object.fromEntries(
      Object.entries(sent?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    expect(new Webhook(secret).verify(sent?.body ?? '', headers)).toEqual(sent?.json);
    expect(() => new Webhook(secret).verify(`${sent?.body} `, headers)).toThrow();
    expect(headers['webhook-id']).toBe(sent?.json.id);
    const delivery = await hooks.delivery(agent, id, (one) => one.state === 'delivered');
    expect(delivery).toEqual({
      id: sent?.json.id,
      webhook_id: id,
      memory_id: memoryId,
      state: 'delivered',
      attempts: 1,
      last_status_code: 204,
      last_error: null,
      next_attempt_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const record = await hooks.record(agent, id);
    expect(record).toMatchObject({ status: 'active', last_status_code: 204, last_delivery_at: expect.any(String) });
  });

  // @covers HOOK-PATTERN-FIELDS HOOK-ONCE
  it('reports what matches, once, and of nothing else', async () => {
    const agent = await hooks.agent();
    const other = await hooks.namespaceNamed('aviary');
    const { user } = (await hooks.as('owner').call('GET', '/v1/session')).json;
    const patterns: [string, object][] = [
      ['/p/namespace', { namespace_id: other.toUpperCase() }],
      ['/p/agent', { agent_id: agent }],
      ['/p/user', { user_id: user.id, source: 'lake' }],
      ['/p/run', { run_id: 'r-1' }],
      ['/p/source', { source: ['lake', 'pond'] }],
      ['/p/metadata', { metadata: { n: 1, kind: 'grebe' } }],
      ['/p/contains', { contains: 'GREBE nests' }],
      ['/p/emoji', { contains: '🎈' }],
      ['/p/sign', { contains: '#grebe' }],
      ['/p/none', { source: 'lake', contains: 'absent' }],
    ];
    for (const [path, one] of patterns) await hooks.hook(agent, path, one);
    const write = hooks.as('owner').call;
    const ids = [
      await hooks.write('The grebe, which nests here 🎈.', { namespace: 'aviary', source: 'lake' }),
      await hooks.write('A great grebe nested.', { metadata: { kind: 'grebe', n: 1, more: true } }),
      (await write('POST', '/v1/memories', { content: 'by run' }, { 'x-service-run': 'r-1' })).json.memory_id,
      (await by(agent, 'POST', '/v1/memories', { content: 'by an agent', source: 'pond' })).json.memory_id,
    ];
    await hooks.write('Nothing to see.', { metadata: { kind: 'grebe', n: '1' }, source: 'sea' });
    await hooks.settled();
    await hooks.write('the last one', { source: 'pond', playground: true });
    await hooks.receiver().until(3, '/p/source');
    await quiet();
    const reported = Object.fromEntries(
      patterns.map(([path]) => [
        path,
        hooks
          .receiver()
          .received.filter((one) => one.path === path)
          .map((one) => ids.indexOf(one.json.data.memory.id))
          .sort(),
      ]),
    );
    expect(reported).toEqual({
      ...{ '/p/namespace': [0], '/p/agent': [3], '/p/user': [0], '/p/run': [2], '/p/source': [-1, 0, 3] },
      ...{ '/p/metadata': [1], '/p/contains': [0], '/p/emoji': [0], '/p/sign': [], '/p/none': [] },
    });
    // The same content again is no new memory.
    await write('POST', '/v1/memories', { content: 'by run' }, { 'x-service-run': 'r-1' });
    await quiet();
    expect(hooks.receiver().received.filter((one) => one.path === '/p/run')).toHaveLength(1);
  });

  // @covers HOOK-SCOPE
  it("sends to a key's webhook what the key could read when it was made and can read now", async () => {
    const agent = await hooks.agent();
    const [mine, theirs] = [await hooks.namespaceNamed('mine'), await hooks.namespaceNamed('theirs')];
    const made = await hooks.newKey({ namespace_ids: [mine] });
    const key = { authorization: `Bearer ${made.key}` };
    const { id } = await hooks.hook(agent, '/bound', { source: 'bound' }, key);
    await hooks.hook(agent, '/all', { source: 'bound' });
    const outside = { webhook_url: `${hooks.receiver().origin}/x`, pattern: { namespace_id: theirs } };
    expect(code(await by(agent, 'POST', '/v1/webhooks', outside, key))).toEqual([403, 'namespace_out_of_scope']);
    const nowhere = { ...outside, pattern: { namespace_id: realWorld.id() } };
    expect(code(await by(agent, 'POST', '/v1/webhooks', nowhere, key))).toEqual([403, 'namespace_out_of_scope']);
    const unbound = { authorization: `Bearer ${(await hooks.newKey({ namespace_ids: [] })).key}` };
    expect(code(await by(agent, 'POST', '/v1/webhooks', nowhere, unbound))).toEqual([403, 'key_has_no_namespaces']);
    await hooks.as('owner').call('PUT', `/v1/keys/${made.key_id}/namespaces`, { namespace_ids: [mine, theirs] });
    const secret = await hooks.write('in theirs', { namespace: theirs, source: 'bound' });
    const seen = await hooks.write('in mine', { namespace: mine, source: 'bound' });
    await hooks.settled();
    await hooks.receiver().until(1, '/bound');
    await quiet();
    const reported = hooks.receiver().received.filter((one) => one.path === '/bound');
    expect(reported.map((one) => one.json.data.memory.id)).toEqual([seen]);
    // A person's is notified of both.
    const all = hooks.receiver().received.filter((one) => one.path === '/all');
    expect(all.map((one) => one.json.data.memory.id).sort()).toEqual([secret, seen].sort());
    // Anyone who lists deliveries sees those about memories that it reaches.
    const listed = await by(agent, 'GET', `/v1/webhooks/${id}/deliveries`);
    expect(listed.json.data).toEqual([]);
    const owner = { 'x-service-agent': agent };
    const { data } = (await hooks.as('owner').call('GET', `/v1/webhooks/${id}/deliveries`, undefined, owner)).json;
    expect(data.map((one: { memory_id: string }) => one.memory_id)).toEqual([seen]);
    const again = `/v1/webhooks/${id}/deliveries/${data[0].id}/redeliver`;
    expect(code(await by(agent, 'POST', again))).toEqual([404, 'delivery_not_found']);
  });

  // @covers HOOK-REACH
  it('sends nothing that the creator of a webhook cannot read any more, and says so', async () => {
    const agent = await hooks.agent();
    const owner = hooks.as('owner').call;
    const [kept, lost] = [await hooks.namespaceNamed('kept'), await hooks.namespaceNamed('lost')];
    const made = await hooks.newKey({ namespace_ids: [kept, lost] });
    const key = { authorization: `Bearer ${made.key}` };
    const both = await hooks.hook(agent, '/narrowed', { source: 'reach' }, key);
    const one = await hooks.hook(agent, '/lost', { source: 'reach', namespace_id: lost }, key);
    const bind = (namespace_ids: string[]) => owner('PUT', `/v1/keys/${made.key_id}/namespaces`, { namespace_ids });
    await bind([kept]);
    expect(await hooks.record(agent, both.id)).not.toHaveProperty('disabled_reason');
    const reason = expect.stringContaining('cannot read the namespaces');
    expect(await hooks.record(agent, one.id)).toMatchObject({ status: 'disabled', disabled_reason: reason });
    await hooks.write('in lost', { namespace: lost, source: 'reach' });
    const seen = await hooks.write('in kept', { namespace: kept, source: 'reach' });
    await hooks.settled();
    await hooks.receiver().until(1, '/narrowed');
    // What waits for its next attempt is not sent after the key was revoked.
    hooks.receiver().answer(status(500));
    const waiting = await hooks.write('again in kept', { namespace: kept, source: 'reach' });
    await hooks.settled();
    await hooks.receiver().until(2, '/narrowed');
    expect((await owner('DELETE', `/v1/keys/${made.key_id}`)).status).toBe(200);
    hooks.receiver().answer(status(204));
    const ended = expect.stringContaining('no access to the workspace');
    for (const { id } of [both, one]) {
      expect(await hooks.record(agent, id)).toMatchObject({ status: 'disabled', disabled_reason: ended });
    }
    await hooks.write('more in kept', { namespace: kept, source: 'reach' });
    await hooks.settled();
    const as = { 'x-service-agent': agent };
    const path = `/v1/webhooks/${both.id}/deliveries`;
    const [delivery] = (await owner('GET', path, undefined, as)).json.data;
    expect(delivery).toMatchObject({ memory_id: waiting, state: 'pending' });
    expect((await owner('POST', `${path}/${delivery.id}/redeliver`, undefined, as)).status).toBe(202);
    await quiet();
    const sent = hooks.receiver().received.filter(({ path: at }) => at === '/narrowed' || at === '/lost');
    expect(sent.map(({ json }) => json.data.memory.id)).toEqual([seen, waiting]);
  });

  // @covers HOOK-REACH
  it('sends nothing to the webhook of a person who was removed', async () => {
    const agent = await hooks.agent();
    const owner = hooks.as('owner').call;
    const body = { webhook_url: `${hooks.receiver().origin}/person`, pattern: { source: 'person' } };
    const made = await hooks.as('member').call('POST', '/v1/webhooks', body, { 'x-service-agent': agent });
    expect(made.status).toBe(201);
    const { user } = (await hooks.as('member').call('GET', '/v1/session')).json;
    expect((await owner('PATCH', `/v1/members/${user.id}`, { role: 'none' })).status).toBe(200);
    await hooks.write('for no one', { source: 'person' });
    await hooks.settled();
    expect(await hooks.record(agent, made.json.id)).toMatchObject({ status: 'disabled' });
    expect((await owner('PATCH', `/v1/members/${user.id}`, { role: 'reader' })).status).toBe(200);
    expect(await hooks.record(agent, made.json.id)).toMatchObject({ status: 'active' });
    const seen = await hooks.write('for a reader', { source: 'person' });
    await hooks.settled();
    await hooks.receiver().until(1, '/person');
    await quiet();
    const sent = hooks.receiver().received.filter(({ path }) => path === '/person');
    expect(sent.map(({ json }) => json.data.memory.id)).toEqual([seen]);
  });
});
