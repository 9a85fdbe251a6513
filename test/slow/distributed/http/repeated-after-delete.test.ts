import { beforeAll, describe, expect, it } from 'vitest';
import { usePeople } from '../../../http/people.js';
import { taskReceipt } from '../../../http/task-receipt.js';
import { newAgent } from '../../../mcp/agent.js';
import { stores } from '../../../support/stores.js';

/** Writes that are repeated under their Idempotency-Key after what they wrote was deleted. The same on every store. */
describe.each(stores)('a write that is repeated after a deletion on %s', () => {
  const people = usePeople();
  let agent: Awaited<ReturnType<typeof newAgent>>;
  beforeAll(async () => {
    agent = await newAgent(people);
  });

  const call = (method: string, path: string, body?: object, headers = {}) =>
    people.service().call(method, path, body, headers);
  const asOwner = (method: string, path: string, body?: object, headers = {}) =>
    people.as('owner').call(method, path, body, headers);
  const head = async () => (await asOwner('GET', '/v1/receipts?limit=1')).json.data[0].seq;
  const stored = async (text: string) => {
    const rows = await people
      .service()
      .app.database.read((tx) => tx.query('select 1 from answers where position($1 in body) > 0', [text]));
    return rows.length > 0;
  };

  /** The first answer and that of the repetition, which may record nothing. */
  async function repeated<A>(send: () => Promise<A>, remove: (first: A) => Promise<unknown>): Promise<[A, A]> {
    const first = await send();
    await remove(first);
    const before = await head();
    const again = await send();
    expect(await head()).toBe(before);
    return [first, again];
  }

  // @covers IDEM-ONCE
  it.each<[string, string, object, (json: { memory_id: string; results: { memory_id: string }[] }) => string]>([
    ['one memory', '/v1/memories', { content: 'a marten of one' }, (json) => json.memory_id],
    [
      'a batch',
      '/v1/memories/batch',
      { memories: [{ content: 'a marten of a batch' }] },
      (json) => json.results[0]?.memory_id ?? '',
    ],
    ['a text', '/v1/ingest', { kind: 'text', content: 'a marten of a text' }, (json) => json.memory_id],
    [
      'a file',
      '/v1/ingest',
      { kind: 'file', filename: 'marten.txt', data_base64: 'bWFydGVu' },
      (json) => json.memory_id,
    ],
  ])('writes %s once', async (name, path, body, idOf) => {
    const [first, again] = await repeated(
      () => call('POST', path, body, { 'idempotency-key': name.replace(' ', '-') }),
      ({ json }) => call('DELETE', `/v1/memories/${idOf(json)}`),
    );
    expect([again.status, again.json]).toEqual([first.status, first.json]);
    expect((await call('GET', `/v1/memories/${idOf(first.json)}`)).status).toBe(404);
    expect(await stored('marten')).toBe(false);
  });

  // @covers IDEM-ONCE
  it('writes once what was deleted together: in bulk, by a filter, and with a namespace', async () => {
    expect((await asOwner('POST', '/v1/namespaces', { name: 'den' })).status).toBe(201);
    const send = (n: number) => () => {
      const key = { 'idempotency-key': `stoat-${n}` };
      const body = { content: `stoat ${n}`, source: 'hole' };
      return n < 2
        ? call('POST', '/v1/memories', body, key)
        : asOwner('POST', '/v1/memories', { ...body, namespace: 'den' }, key);
    };
    const approved = async (path: string, body: object) => {
      const { approval_id } = (await call('POST', path, body)).json.error.details;
      const { receipt_id } = (await asOwner('POST', `/v1/approvals/${approval_id}/approve`)).json;
      const done = await call('POST', path, { ...body, approval_receipt_id: receipt_id });
      expect([done.status, done.json.error]).toEqual([200, undefined]);
    };
    const ways = [
      (id: string) => approved('/v1/memories/bulk-delete', { ids: [id] }),
      () => approved('/v1/memories/delete', { filters: { source: 'hole' } }),
    ];
    ways.push(async () => {
      const { data } = (await asOwner('GET', '/v1/namespaces')).json;
      const { id } = data.find(({ name }: { name: string }) => name === 'den');
      expect((await asOwner('DELETE', `/v1/namespaces/${id}?move_to=default`)).status).toBe(200);
    });
    for (const [n, way] of ways.entries()) {
      const [first, again] = await repeated(send(n), ({ json }) => way(json.memory_id));
      expect(again.json).toEqual(first.json);
    }
    await people.service().settled();
    const kept = (await call('GET', '/v1/memories?q=stoat')).json.data;
    expect(kept.map(({ excerpt }: { excerpt: string }) => excerpt)).toEqual(['stoat 2']);
  });

  // @covers IDEM-ONCE
  it('records the actions of an agent once: memories, decisions and handoffs', async () => {
    const actions = [
      { kind: 'memory', content: 'a polecat of an agent' },
      { kind: 'decision', summary: 'Leave the polecat alone.' },
      { kind: 'handoff', summary: 'Watch the polecat.', to_agent: agent.agentId },
    ];
    const [first, again] = await repeated(
      () => agent.record(actions, { idempotency_key: 'polecats' }),
      async ({ structured: { results } }) => {
        await call('DELETE', `/v1/memories/${results[0].memory_id}`);
        for (const { receipt_id } of results.slice(1)) await asOwner('DELETE', `/v1/receipts/${receipt_id}/private`);
      },
    );
    expect(again.structured).toEqual(first.structured);
    expect(await stored('polecat')).toBe(false);
  });

  // @covers IDEM-ONCE
  it('records a task receipt once whose private text was erased', async () => {
    const body = taskReceipt({ more: 'a private weasel' });
    const [first, again] = await repeated(
      () => call('POST', '/v1/receipts', body, { 'idempotency-key': 'weasel' }),
      ({ json }) => asOwner('DELETE', `/v1/receipts/${json.data[0].id}/private`),
    );
    expect([again.status, again.json]).toEqual([201, first.json]);
  });

  // @covers IDEM-ONCE IDEM-SECRETS
  it('makes a key, a webhook and a member once, and shows neither secrets nor texts that are gone', async () => {
    const keys = await repeated(
      () => asOwner('POST', '/v1/keys', { name: 'short-lived' }, { 'idempotency-key': 'key' }),
      ({ json }) => asOwner('DELETE', `/v1/keys/${json.id}`),
    );
    expect(keys[1].json).toEqual({ ...keys[0].json, key: null });

    const hook = { webhook_url: 'https://example.org/ermine', pattern: { contains: 'ermine' } };
    const [made, again] = await repeated(
      () => call('POST', '/v1/webhooks', hook, { 'idempotency-key': 'hook', 'x-service-agent': agent.agentId }),
      ({ json }) => call('DELETE', `/v1/webhooks/${json.id}`, undefined, { 'x-service-agent': agent.agentId }),
    );
    expect(made.status).toBe(201);
    expect(again.json).toEqual({ ...made.json, secret: null, host: null, pattern: null });
    expect(await stored('ermine')).toBe(false);

    const person = { email: 'ermine@example.org', role: 'member' };
    const members = await repeated(
      () => asOwner('POST', '/v1/members', person, { 'idempotency-key': 'person' }),
      ({ json }) => asOwner('DELETE', `/v1/members/${json.id}`),
    );
    expect(members[1].json).toEqual({ ...members[0].json, password: null, email: null });
    expect(await stored('ermine')).toBe(false);
  });

  // @covers IDEM-FORGET
  it('searches again when a text of its answer is gone', async () => {
    const ids = ['one otter', 'two otters'].map(
      async (content) => (await call('POST', '/v1/memories', { content })).json.memory_id,
    );
    const [first, second] = await Promise.all(ids);
    await people.service().settled();
    const search = () => call('POST', '/v1/memories/search', { query: 'otter' }, { 'idempotency-key': 'otters' });
    const found = await search();
    expect(found.json.data).toHaveLength(2);
    expect((await search()).json.receipt_id).toBe(found.json.receipt_id);
    expect(await stored('one otter')).toBe(true);
    await call('DELETE', `/v1/memories/${first}`);
    expect(await stored('two otters')).toBe(false);
    const again = (await search()).json;
    expect(again.receipt_id).not.toBe(found.json.receipt_id);
    expect(again.data.map(({ memory_id }: { memory_id: string }) => memory_id)).toEqual([second]);
  });
});
