import { beforeAll, describe, expect, it } from 'vitest';
import { newHolder } from '../../domain/identity/holder.js';
import { code, owner, usePeople } from '../../http/people.js';
import { type Person, signedIn } from '../../http/person.js';
import { taskReceipt } from '../../http/task-receipt.js';
import { agent, exportOf, spanId } from '../../otlp/spans.js';
import { stores } from '../../support/stores.js';

const header = 'x-receipt-id';
const agentId = `agn_${'c'.repeat(32)}`;

/** Every answer whose call has recorded an entry names the receipt in a header. The same on every store. */
describe.each(stores)('the receipt in every answer on %s', () => {
  const people = usePeople({ CORS_ORIGINS: 'https://pages.example', ALLOW_PRIVATE_URLS: '1' });
  const newest = async (): Promise<string> =>
    (await people.as('owner').call('GET', '/v1/receipts?limit=1')).json.data[0].id;
  beforeAll(async () => {
    await people.as('owner').call('POST', '/v1/agents', { agent_id: agentId });
  });

  /** Calls, and compares the header with the newest entry of the chain: it names that one, or there is no new one. */
  async function calling(
    method: string,
    path: string,
    body?: unknown,
    { by = people.as('owner'), ...headers }: { by?: Person; [name: string]: unknown } = {},
  ) {
    const before = await newest();
    const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    const reply = await by.call(method, path, body, given);
    const after = await newest();
    const named = reply.headers.get(header);
    const recorded = after === before ? null : after;
    expect([method, path, reply.status < 300, named]).toEqual([method, path, true, recorded]);
    return { ...reply, receipt: named };
  }
  const recording = async (...given: Parameters<typeof calling>) => {
    const reply = await calling(...given);
    expect([given[0], given[1], reply.receipt]).toEqual([given[0], given[1], expect.stringMatching(/^rcp_/)]);
    return reply;
  };
  const silent = async (...given: Parameters<typeof calling>) => {
    const reply = await calling(...given);
    expect([given[0], given[1], reply.receipt]).toEqual([given[0], given[1], null]);
    return reply;
  };

  it('is in answers about memories, which show receipt and hash too', async () => {
    const added = await recording('POST', '/v1/memories', { content: 'The heron nests by the mill.' });
    expect(added.json).toMatchObject({
      receipt_id: added.receipt,
      receipt_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const again = await silent('POST', '/v1/memories', { content: 'The heron nests by the mill.' });
    expect(again.json.receipt_id).toBe(added.receipt);
    const { memory_id: id } = added.json;
    const imported = await recording('POST', '/v1/ingest', { kind: 'text', content: 'The mill has two wheels.' });
    expect(imported.json).toMatchObject({ receipt_id: imported.receipt, receipt_hash: expect.any(String) });
    const memories = [{ content: 'A first one.' }, { content: 'A second one.' }, { content: '' }];
    const batch = await recording('POST', '/v1/memories/batch', { memories });
    const [first, second] = batch.json.results;
    expect([first.receipt_id, first.receipt_hash]).toEqual([expect.any(String), expect.any(String)]);
    expect(second.receipt_id).toBe(batch.receipt);
    const searched = await recording('POST', '/v1/memories/search', { query: 'heron' });
    expect(searched.json.receipt_id).toBe(searched.receipt);
    await recording('POST', `/v1/memories/${id}/invalidate`, { reason: 'it has moved' });
    await recording('POST', `/v1/memories/${id}/reinstate`);
    const removed = await recording('DELETE', `/v1/memories/${id}`);
    expect(removed.json.receipt_id).toBe(removed.receipt);
    await silent('GET', '/v1/memories');
    await silent('GET', '/v1/receipts');
  });

  it('is in answers about what a workspace has', async () => {
    const { json: attic } = await recording('POST', '/v1/namespaces', { name: 'attic' });
    await recording('PATCH', `/v1/namespaces/${attic.id}`, { name: 'loft' });
    await recording('POST', '/v1/memories', { content: 'In the loft.', namespace: attic.id });
    await recording('DELETE', `/v1/namespaces/${attic.id}`, { move_to: people.first().namespaceId });
    const { json: key } = await recording('POST', '/v1/keys', { name: 'k' });
    await recording('PUT', `/v1/keys/${key.key_id}/namespaces`, { namespace_ids: [people.first().namespaceId] });
    await recording('POST', `/v1/keys/${key.key_id}/kafka-secret`);
    await recording('DELETE', `/v1/keys/${key.key_id}`);
    const body = { webhook_url: 'https://127.0.0.1:9/in', pattern: { source: 'x' } };
    const hook = await recording('POST', '/v1/webhooks', body, { 'x-service-agent': agentId });
    await recording('DELETE', `/v1/webhooks/${hook.json.id}`, undefined, { 'x-service-agent': agentId });
    await recording('PATCH', '/v1/workspace', { name: 'Another name' });
    const { json: member } = await recording('POST', '/v1/members', { email: 'ida@example.org', role: 'reader' });
    await recording('PATCH', `/v1/members/${member.id}`, { role: 'member' });
    await silent('PATCH', `/v1/members/${member.id}`, { role: 'member' });
    await recording('DELETE', `/v1/members/${member.id}`);
    const rules = { pause_all: false, sensitive: 'reject' };
    await recording('PUT', '/v1/rules', rules);
    await silent('PUT', '/v1/rules', rules);
    await recording('PUT', '/v1/rules', { ...rules, sensitive: 'redact' });
  });

  it('is in answers about agents, attestation keys and passwords', async () => {
    const { json: linked } = await recording('POST', '/v1/agents', { agent_id: `agn_${'d'.repeat(32)}` });
    const namespaces = { namespace_ids: [people.first().namespaceId] };
    const { json: key } = await recording('POST', `/v1/agents/${linked.id}/keys`, { name: 'k', ...namespaces });
    await recording('PUT', `/v1/agents/${linked.id}/keys/${key.key_id}/namespaces`, namespaces);
    await recording('DELETE', `/v1/agents/${linked.id}/keys/${key.key_id}`);
    await recording('DELETE', `/v1/agents/${linked.id}`);
    const public_key = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
    const { json: attested } = await recording('POST', '/v1/attestation-keys', { public_key });
    await recording('DELETE', `/v1/attestation-keys/${attested.id}`);
    const who = await people.admin().member(people.first().workspaceId, 'admin');
    const by = await signedIn(people.service(), who);
    const passwords = { old_password: who.password, new_password: 'quite another password' };
    const changed = await recording('PUT', '/v1/session/password', passwords, { by });
    expect(changed.json.receipt_id).toBe(changed.receipt);
    const issued = await people.as('owner').call('POST', '/v1/agent-id', { public_key: newHolder('Ed25519').bound });
    const registered = issued.headers.get(header);
    expect(registered).toMatch(/^rcp_/);
    expect((await people.as('owner').call('GET', `/v1/registry/receipts/${registered}`)).status).toBe(200);
  });

  it('is in answers to task receipts and spans', async () => {
    const task = taskReceipt({ task_summary: 'Sorted the letters.' });
    const sent = await recording('POST', '/v1/receipts', task);
    expect(sent.json.data[0].id).toBe(sent.receipt);
    await silent('POST', '/v1/receipts', task);
    await recording('DELETE', `/v1/receipts/${task.receipt_id.replaceAll(' ', '%20')}/private`);
    const type = { 'content-type': 'application/json', 'idempotency-key': 'spans' };
    const spans = exportOf([{ trace: 'e'.repeat(32), id: spanId(1), attributes: agent() }]);
    const exported = await recording('POST', '/v1/otlp/v1/traces', spans, type);
    const repeated = await people.as('owner').call('POST', '/v1/otlp/v1/traces', spans, type);
    expect(repeated.headers.get(header)).toBe(exported.receipt);
  });

  it('is in answers to approvals and to what they allow, and in none that refuses', async () => {
    await recording('PUT', '/v1/rules', { pause_all: false, sensitive: 'redact', ask_owner: [{ min_bytes: 1 }] });
    const held = await people.as('owner').call('POST', '/v1/memories', { content: 'A held one.' });
    expect([...code(held), held.headers.get(header)]).toEqual([409, 'approval_required', null]);
    const { approval_id } = held.json.error.details;
    const path = `/v1/approvals/${approval_id}/approve`;
    const decided = await recording('POST', path, undefined, { by: people.as('admin'), 'idempotency-key': 'decide' });
    const repeated = await people.as('admin').call('POST', path, undefined, { 'idempotency-key': 'decide' });
    expect([repeated.status, repeated.headers.get(header)]).toEqual([200, decided.receipt]);
    const written = await recording('POST', '/v1/memories', { content: 'A held one.', approval_id });
    await recording('PUT', '/v1/rules', { pause_all: false, sensitive: 'redact', ask_owner: [] });
    const ids = [written.json.memory_id];
    const asked = await people.as('owner').call('POST', '/v1/memories/bulk-delete', { ids });
    expect([...code(asked), asked.headers.get(header)]).toEqual([409, 'approval_required', null]);
    const approved = await recording(
      'POST',
      `/v1/approvals/${asked.json.error.details.approval_id}/approve`,
      undefined,
      {
        by: people.as('admin'),
      },
    );
    const approval_receipt_id = approved.receipt;
    const removed = await recording('POST', '/v1/memories/bulk-delete', { ids, approval_receipt_id });
    expect(removed.json.deleted[0].receipt_id).toBe(removed.receipt);
    for (const [method, way, body] of [
      ['POST', '/v1/memories', { content: '' }],
      ['DELETE', '/v1/memories/x', undefined],
      ['POST', '/v1/namespaces', {}],
    ] as const) {
      const refused = await people.as('owner').call(method, way, body);
      expect([refused.status >= 400, refused.headers.get(header)]).toEqual([true, null]);
    }
  });

  it('is in the repetition of a call under its key, and in none of a call that has recorded nothing', async () => {
    const repeating = async (path: string, body: unknown, key: string) => {
      const first = await recording('POST', path, body, { 'idempotency-key': key });
      const again = await people.as('owner').call('POST', path, body, { 'idempotency-key': key });
      expect([path, again.status, again.headers.get(header)]).toEqual([path, first.status, first.receipt]);
      return first;
    };
    const { json: written } = await repeating('/v1/memories', { content: 'Written under a key.' }, 'one');
    await repeating('/v1/ingest', { kind: 'text', content: 'Imported under a key.' }, 'two');
    await repeating('/v1/memories/batch', { memories: [{ content: 'b 1' }, { content: 'b 2' }] }, 'three');
    await repeating('/v1/memories/search', { query: 'key' }, 'four');
    await repeating('/v1/keys', { name: 'under a key' }, 'five');
    await repeating('/v1/members', { email: 'uma@example.org', role: 'reader' }, 'six');
    await repeating('/v1/namespaces', { name: 'under a key' }, 'seven');
    await repeating('/v1/receipts', taskReceipt(), 'eight');
    await recording('DELETE', `/v1/memories/${written.memory_id}`);
    const since = await people.as('owner').call(
      'POST',
      '/v1/memories',
      { content: 'Written under a key.' },
      {
        'idempotency-key': 'one',
      },
    );
    expect([since.status, since.headers.get(header)]).toEqual([202, written.receipt_id]);
    const same = { content: 'Written twice.' };
    await recording('POST', '/v1/memories', same);
    for (let times = 0; times < 2; times += 1)
      await silent('POST', '/v1/memories', same, { 'idempotency-key': 'nine' });
  });

  it('can be read by pages of the origins that may call', async () => {
    const written = await people.as('owner').call(
      'POST',
      '/v1/memories',
      { content: 'By a page.' },
      {
        origin: people.service().app.server.listeningOrigin,
      },
    );
    expect(written.headers.get(header)).toMatch(/^rcp_/);
    const read = await people.as('owner').call('GET', '/v1/memories', undefined, { origin: 'https://pages.example' });
    expect(read.headers.get('access-control-expose-headers')).toContain(header);
  });

  it('is of one call and no other, also of those that are recorded together', async () => {
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        people.as('owner').call('POST', '/v1/memories', { content: `together ${n % 20}` }),
      ),
    );
    for (const { json, headers } of replies) {
      expect(headers.get(header)).toBe(json.duplicate ? null : json.receipt_id);
    }
    const other = await people.admin().workspace();
    const { headers } = await (await signedIn(people.service(), owner)).call('POST', '/v1/memories', {
      content: 'x y',
    });
    const foreign = await people.withKey(other.key, 'GET', `/v1/receipts/${headers.get(header)}`);
    expect(code(foreign)).toEqual([404, 'receipt_not_found']);
  });
});
