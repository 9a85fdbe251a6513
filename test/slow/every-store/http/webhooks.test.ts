import { describe, expect, it } from 'vitest';
import { lexicalEmbedder } from '../../../../src/adapters/embeddings/lexical.js';
import { realWorld } from '../../../../src/base/world.js';
import { fsck } from '../../../../src/maintenance/fsck.js';
import { rebuildables } from '../../../../src/maintenance/rebuildable.js';
import { ask } from '../../../http/ask.js';
import { useHooks } from '../../../http/hooks.js';
import { code } from '../../../http/people.js';
import { quiet } from '../../../http/receiver.js';
import { stores } from '../../../support/stores.js';

/** Webhooks as their owners see them, and what comes to their addresses. The same on every store. */
describe.each(stores)('webhooks on %s', () => {
  const hooks = useHooks();
  const { by } = hooks;
  const url = 'https://hooks.example.org/secret/path?token=t0ken';
  const pattern = { source: 'a' };

  // @covers HOOK-LIST HOOK-RECORD HOOK-SECRET
  it('makes a webhook, shows its secret once and its address never', async () => {
    const agent = await hooks.agent();
    const made = await by(agent, 'POST', '/v1/webhooks', { webhook_url: url, name: ' Ops ', pattern });
    expect(made.status).toBe(201);
    const { secret, ...record } = made.json;
    expect(record).toEqual({
      id: expect.any(String),
      name: 'Ops',
      host: 'hooks.example.org',
      pattern,
      status: 'active',
      created_at: expect.any(String),
      last_delivery_at: null,
      last_status_code: null,
    });
    expect(record.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    const [, bytes = ''] = /^whsec_([A-Za-z0-9+/]+=*)$/.exec(secret) ?? [];
    expect(Buffer.from(bytes, 'base64').length).toBe(30);
    const second = await by(agent, 'POST', '/v1/webhooks', { webhook_url: url, pattern });
    expect(second.json.name).toBeNull();
    const list = await by(agent, 'GET', '/v1/webhooks');
    const { secret: __, ...other } = second.json;
    expect(list.json).toEqual({ data: [other, record] });
    const receipts = await hooks.as('owner').call('GET', '/v1/receipts?kind=webhook.created&limit=1');
    expect(receipts.json.data[0]).toMatchObject({ actor: { agent_id: agent }, body: { webhook_id: other.id } });
    const entries = await hooks
      .service()
      .app.database.read((tx) => tx.query<{ text: string }>(`select convert_from(bytes, 'UTF8') as text from entries`));
    for (const hidden of ['example.org', 't0ken', secret]) expect(JSON.stringify(entries)).not.toContain(hidden);
  });

  // @covers HOOK-DELETE ERR-webhook_not_found
  it('deletes a webhook of its own agent, and destroys its address and secret', async () => {
    const [mine, theirs] = [await hooks.agent(), await hooks.agent()];
    const { json } = await by(mine, 'POST', '/v1/webhooks', { webhook_url: url, pattern });
    const path = `/v1/webhooks/${json.id}`;
    expect(code(await by(theirs, 'DELETE', path))).toEqual([404, 'webhook_not_found']);
    const gone = await by(mine, 'DELETE', `/v1/webhooks/${json.id.toUpperCase()}`);
    expect([gone.status, gone.json]).toEqual([200, { id: json.id, deleted: true }]);
    expect(code(await by(mine, 'DELETE', path))).toEqual([404, 'webhook_not_found']);
    for (const id of ['x', realWorld.id(), '%00']) {
      expect(code(await by(mine, 'DELETE', `/v1/webhooks/${id}`))).toEqual([404, 'webhook_not_found']);
    }
    expect((await by(mine, 'GET', '/v1/webhooks')).json.data).toEqual([]);
    const kept = await hooks
      .service()
      .app.database.read((tx) => tx.query('select 1 from vault where content like $1', [`%${json.secret}%`]));
    expect(kept).toEqual([]);
  });

  // @covers HOOK-AGENT ERR-agent_required
  it('asks for an agent, and for one of this workspace', async () => {
    const calls = [
      ['GET', '/v1/webhooks'],
      ['POST', '/v1/webhooks', '{'],
      ['DELETE', `/v1/webhooks/${realWorld.id()}`],
      ['GET', `/v1/webhooks/${realWorld.id()}/deliveries`],
      ['POST', `/v1/webhooks/${realWorld.id()}/deliveries/${realWorld.id()}/redeliver`],
    ] as const;
    for (const [method, path, body] of calls) {
      expect(code(await hooks.service().call(method, path, body))).toEqual([400, 'agent_required']);
      expect(code(await hooks.as('member').call(method, path))).toEqual([400, 'agent_required']);
      expect(code(await by(`agn_${'z'.repeat(32)}`, method, path, body))).toEqual([403, 'agent_not_linked']);
    }
    const agent = await hooks.agent();
    const other = await hooks.admin().workspace();
    const foreign = { authorization: `Bearer ${other.key}` };
    expect(code(await by(agent, 'GET', '/v1/webhooks', undefined, foreign))).toEqual([403, 'agent_not_linked']);
  });

  // @covers AUTH-SCOPE-WEBHOOK
  it('allows a key narrowed to memory.read to see them and make none; readers neither', async () => {
    const agent = await hooks.agent();
    const { workspaceId, namespaceId } = hooks.first();
    const key = (scopes: string[]) => hooks.admin().key(workspaceId, { scopes, namespaceIds: [namespaceId] });
    const reader = { authorization: `Bearer ${await key(['memory.read'])}` };
    const writer = { authorization: `Bearer ${await key(['memory.write'])}` };
    const body = { webhook_url: url, pattern };
    expect(code(await by(agent, 'POST', '/v1/webhooks', body, reader))).toEqual([403, 'insufficient_scope']);
    const made = await by(agent, 'POST', '/v1/webhooks', body, writer);
    expect(made.status).toBe(201);
    expect((await by(agent, 'GET', '/v1/webhooks', undefined, reader)).json.data).toHaveLength(1);
    const path = `/v1/webhooks/${made.json.id}`;
    expect(code(await by(agent, 'DELETE', path, undefined, reader))).toEqual([403, 'insufficient_scope']);
    const person = { 'x-service-agent': agent };
    expect(code(await hooks.as('reader').call('POST', '/v1/webhooks', body, person))).toEqual([403, 'read_only']);
    expect(code(await hooks.as('reader').call('GET', '/v1/webhooks', undefined, person))).toEqual([200, null]);
    expect(code(await hooks.as('member').call('DELETE', path, undefined, person))).toEqual([200, null]);
  });

  // @covers HOOK-METHODS ERR-method_not_allowed
  it('takes no other method, anyone who asks', async () => {
    const paths = [
      ['/v1/webhooks', ['GET', 'POST']],
      [`/v1/webhooks/${realWorld.id()}`, ['DELETE']],
    ] as const;
    for (const [path, allowed] of paths) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'COPY', 'PURGE', 'SEARCH']) {
        if (allowed.some((one) => one === method)) continue;
        const reply = await ask(hooks.service().app.server.listeningOrigin, method, path);
        expect([method, path, reply.status]).toEqual([method, path, 405]);
        expect(reply.headers.get('allow')).toBe(allowed.join(', '));
        if (method !== 'HEAD') expect(reply.json.error.code).toBe('method_not_allowed');
      }
    }
    expect(code(await hooks.service().call('GET', `/v1/webhooks/${realWorld.id()}/x`))).toEqual([
      404,
      'route_not_found',
    ]);
  });

  // @covers HOOK-URL-LIMIT HOOK-PATTERN
  it('takes no body that is not as it should be', async () => {
    const agent = await hooks.agent();
    const wrong = [
      ...[{}, { webhook_url: url }, { pattern }, { webhook_url: url, pattern, more: 1 }],
      ...[{}, { x: 1 }, [], 'a', null, { source: [] }, { source: 7 }, { metadata: {} }, { metadata: { a: [1] } }].map(
        (one) => ({ webhook_url: url, pattern: one }),
      ),
      ...[{ namespace_id: 'x' }, { agent_id: '' }, { contains: ' ?! ' }, { contains: [] }, { run_id: 'a\u0000' }].map(
        (one) => ({ webhook_url: url, pattern: one }),
      ),
      ...['', 'x'.repeat(65), 7, 'a\u0007'].map((name) => ({ webhook_url: url, pattern, name })),
      ...['', 'x', 7, null, 'ftp://example.org/', `https://example.org/${'x'.repeat(2000)}`, '//example.org/'].map(
        (one) => ({ webhook_url: one, pattern }),
      ),
      { webhook_url: 'https://user:secret@example.org/', pattern },
    ];
    for (const body of wrong) {
      const reply = await by(agent, 'POST', '/v1/webhooks', body);
      expect([body, ...code(reply)]).toEqual([body, 400, 'invalid_request']);
    }
    for (const body of ['{', '[]', '']) {
      expect(code(await by(agent, 'POST', '/v1/webhooks', body))).toEqual([400, 'invalid_json']);
    }
    expect((await by(agent, 'GET', '/v1/webhooks')).json.data).toEqual([]);
    const longest = `https://example.org/${'x'.repeat(1980)}`;
    expect((await by(agent, 'POST', '/v1/webhooks', { webhook_url: longest, pattern })).status).toBe(201);
  });

  // @covers IDEM-SECRETS HOOK-SECRET
  it('gives the answer of a repeated request without the secret', async () => {
    const agent = await hooks.agent();
    const make = () =>
      by(agent, 'POST', '/v1/webhooks', { webhook_url: url, pattern }, { 'idempotency-key': 'hook-1' });
    const [first, again] = [await make(), await make()];
    expect(again.json).toEqual({ ...first.json, secret: null });
    expect((await by(agent, 'GET', '/v1/webhooks')).json.data).toHaveLength(1);
  });

  it('ends the webhooks of an agent that is unlinked, with their addresses', async () => {
    const agent = await hooks.agent();
    const { id, secret } = await hooks.hook(agent, '/unlinked', { source: 'unlinked' });
    await hooks.hook(agent, '/unlinked', { source: 'unlinked' });
    const { data } = (await hooks.as('owner').call('GET', '/v1/agents?limit=1')).json;
    expect(data[0].agent_id).toBe(agent);
    expect((await hooks.as('owner').call('DELETE', `/v1/agents/${data[0].id}`)).status).toBe(200);
    await hooks.write('for no one', { source: 'unlinked' });
    await hooks.settled();
    await quiet(500);
    expect(hooks.receiver().received.filter((one) => one.path === '/unlinked')).toEqual([]);
    const receipts = await hooks.as('owner').call('GET', '/v1/receipts?kind=webhook.deleted&limit=2');
    expect(receipts.json.data.map((one: { body: { webhook_id: string } }) => one.body.webhook_id)).toContain(id);
    const kept = await hooks
      .service()
      .app.database.read((tx) => tx.query('select 1 from vault where content like $1', [`%${secret}%`]));
    expect(kept).toEqual([]);
    await hooks.as('owner').call('POST', '/v1/agents', { agent_id: agent });
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect((await by(agent, 'GET', '/v1/webhooks')).json.data).toEqual([]);
  });

  // @covers ERR-memory_unavailable
  it('says that the store cannot be reached, and changes nothing then', async () => {
    const agent = await hooks.agent();
    const { id } = await hooks.hook(agent, '/stored', pattern);
    const sql = (text: string) => hooks.service().app.database.transaction((tx) => tx.query(text));
    await sql('alter table webhooks rename to webhooks_away');
    try {
      const body = { webhook_url: `${hooks.receiver().origin}/x`, pattern };
      for (const [method, path, given] of [
        ['GET', '/v1/webhooks'],
        ['POST', '/v1/webhooks', body],
        ['DELETE', `/v1/webhooks/${id}`],
        ['GET', `/v1/webhooks/${id}/deliveries`],
        ['POST', `/v1/webhooks/${id}/deliveries/${id}/redeliver`],
      ] as const) {
        expect([path, ...code(await by(agent, method, path, given))]).toEqual([path, 503, 'memory_unavailable']);
      }
    } finally {
      await sql('alter table webhooks_away rename to webhooks');
    }
    const { data } = (await by(agent, 'GET', '/v1/webhooks')).json;
    expect(data.map((one: { id: string }) => one.id)).toEqual([id]);
  });

  it('leaves a store in which nothing is wrong', async () => {
    await hooks.settled();
    const checked = await fsck(hooks.service().app.database, rebuildables(lexicalEmbedder()), {
      onProgress: () => undefined,
    });
    expect(checked.faults).toBeNull();
  });
});
