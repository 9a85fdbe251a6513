import { beforeAll, describe, expect, it } from 'vitest';
import { may, type Route } from '../../http/all-routes.js';
import { withBroken } from '../../http/broken.js';
import { code, owner as credentials, usePeople } from '../../http/people.js';
import { eagerWorld } from '../../http/service.js';
import { taskReceipt } from '../../http/task-receipt.js';
import { agent, exportOf, spanId } from '../../otlp/spans.js';

const agentId = `agn_${'e'.repeat(32)}`;
const nothing = '018f0000-0000-7000-8000-00000000abcd';
/** Of P-256 and secp256k1: their base points. */
const publicKeys = [
  'zDnaepsL7AXenJkVYdkh5KuKsSU7Ykh7kyXaLLU7auN9FWSiZ',
  'zQ3shVc2UkAfJCdc1TR8E66J85h48P43r93q8jGPkPpjF9Ef9',
];

describe('every route of the memory API is not there', () => {
  const off = usePeople({ MEMORY_API: 'off' });
  const closed = usePeople({}, eagerWorld);
  beforeAll(() => closed.admin().provision(closed.first().workspaceId, 'free', false));
  const call = (people: typeof off, { method, url, body }: Route) => people.as('owner').call(method, url, body);

  // @covers ERR-not_found
  it.each(may('not_found'))('$name: where it is switched off', async (route) => {
    expect(code(await call(off, route))).toEqual([404, 'not_found']);
  });

  // @covers ERR-feature_not_enabled
  it.each(may('feature_not_enabled'))('$name: in a workspace that does not have it', async (route) => {
    expect(code(await call(closed, route))).toEqual([404, 'feature_not_enabled']);
  });
});

describe('every route that may be repeated', () => {
  const people = usePeople({}, eagerWorld);
  const headers = {
    'x-service-agent': agentId,
    'idempotency-key': 'used-before',
    'content-type': 'application/json',
  };
  let approval: string;
  beforeAll(async () => {
    await people.as('owner').call('POST', '/v1/agents', { agent_id: agentId });
    await people.as('owner').call('POST', '/v1/memories', { content: 'written under a key' }, headers);
    const asked = await people.as('owner').call('POST', '/v1/memories/bulk-delete', { ids: [nothing] });
    approval = asked.json.error.details.approval_id;
  });

  // @covers ERR-idempotency_key_reused
  it.each(may('idempotency_key_reused'))('$name: not under the key of another request', async (route) => {
    const path = route.path.replace('{approval_id}', approval).replace(/\{\w+\}/g, nothing);
    const reply = await people.as('owner').call('POST', path, route.body ?? {}, headers);
    expect(code(reply)).toEqual([422, 'idempotency_key_reused']);
  });
});

describe('every route that writes', () => {
  const people = usePeople({}, eagerWorld);
  const owner = (method: string, path: string, body?: object) =>
    people.as('owner').call(method, path, body, { 'x-service-agent': agentId, 'content-type': 'application/json' });
  const made = async (path: string, body: object) => {
    const { status, json } = await owner('POST', path, body);
    if (status > 299) throw new Error(`${path} said ${status}`);
    return json;
  };
  const held = async (path: string, body: object) =>
    (await owner('POST', path, body)).json.error.details.approval_id as string;

  /** Everything that would be done by each, with what there is. */
  async function writes(): Promise<Record<string, readonly [string, object?]>> {
    await people.as('owner').call('POST', '/v1/agents', { agent_id: agentId });
    const rules = { pause_all: false, sensitive: 'redact', ask_owner: [{ source: 'asked' }] };
    await owner('PUT', '/v1/rules', rules);
    const [{ memory_id: first }, { memory_id: second }] = [
      await made('/v1/memories', { content: 'one' }),
      await made('/v1/memories', { content: 'two' }),
    ];
    const ids = [second];
    const { memory_id: valid } = await made('/v1/memories', { content: 'to be invalidated' });
    const { memory_id: invalid } = await made('/v1/memories', { content: 'to be reinstated' });
    await made(`/v1/memories/${invalid}/invalidate`, { reason: 'it was thought to be wrong' });
    const waiting = [];
    for (const content of ['a', 'b']) waiting.push(await held('/v1/memories', { content, source: 'asked' }));
    const bulk = await held('/v1/memories/bulk-delete', { ids });
    const { receipt_id: word } = await made(`/v1/approvals/${bulk}/approve`, {});
    await made('/v1/memories', { content: 'selected', source: 'selected' });
    const filters = { source: 'selected' };
    const selected = await held('/v1/memories/delete', { filters });
    const { receipt_id: decided } = await made(`/v1/approvals/${selected}/approve`, {});
    const [{ id: renamed }, { id: deleted }] = [
      await made('/v1/namespaces', { name: 'to be renamed' }),
      await made('/v1/namespaces', { name: 'to be deleted' }),
    ];
    const { key_id: key } = await made('/v1/keys', { name: 'a key' });
    const { id: signer } = await made('/v1/attestation-keys', { public_key: publicKeys[0] });
    const { id: link } = await made('/v1/agents', { agent_id: `agn_${'f'.repeat(32)}` });
    const { id: desk } = await made('/v1/agents', { agent_id: `agn_${'h'.repeat(32)}` });
    const { key_id: agentKey } = await made(`/v1/agents/${desk}/keys`, { name: 'a key of an agent' });
    const { workspaceId, namespaceId } = people.first();
    const { id: me } = (await owner('GET', '/v1/session')).json.user;
    const grant = await people.admin().grant(workspaceId, me, { namespaceIds: [namespaceId] });
    const { id: member } = await made('/v1/members', { email: 'eve@example.org', role: 'reader' });
    const task = (await made('/v1/receipts', taskReceipt())).data[0].id;
    const passwords = { old_password: credentials.password, new_password: 'another password of the owner' };
    return {
      'POST /v1/memories': ['/v1/memories', { content: 'three' }],
      'POST /v1/memories/batch': ['/v1/memories/batch', { memories: [{ content: 'five' }, { content: 'six' }] }],
      'POST /v1/memories/{memory_id}/invalidate': [`/v1/memories/${valid}/invalidate`, { reason: 'it was wrong' }],
      'POST /v1/memories/{memory_id}/reinstate': [`/v1/memories/${invalid}/reinstate`],
      'POST /v1/ingest': ['/v1/ingest', { kind: 'text', content: 'four' }],
      'POST /v1/receipts': ['/v1/receipts', taskReceipt()],
      'POST /v1/otlp/v1/traces': [
        '/v1/otlp/v1/traces',
        exportOf([{ trace: 'b'.repeat(32), id: spanId(1), attributes: agent() }]),
      ],
      'DELETE /v1/receipts/{receipt_id}/private': [`/v1/receipts/${task}/private`],
      'POST /v1/memories/bulk-delete': ['/v1/memories/bulk-delete', { ids, approval_receipt_id: word }],
      'POST /v1/memories/delete': ['/v1/memories/delete', { filters, approval_receipt_id: decided }],
      'DELETE /v1/memories/{memory_id}': [`/v1/memories/${first}`],
      'POST /v1/namespaces': ['/v1/namespaces', { name: 'new' }],
      'PATCH /v1/namespaces/{namespace_id}': [`/v1/namespaces/${renamed}`, { name: 'renamed' }],
      'DELETE /v1/namespaces/{namespace_id}': [`/v1/namespaces/${deleted}`],
      'POST /v1/keys': ['/v1/keys', { name: 'another key' }],
      'PUT /v1/keys/{key_id}/namespaces': [`/v1/keys/${key}/namespaces`, { namespace_ids: [renamed] }],
      'POST /v1/keys/{key_id}/kafka-secret': [`/v1/keys/${key}/kafka-secret`],
      'DELETE /v1/keys/{key_id}': [`/v1/keys/${key}`],
      'POST /v1/agents': ['/v1/agents', { agent_id: `agn_${'g'.repeat(32)}` }],
      'DELETE /v1/agents/{link_id}': [`/v1/agents/${link}`],
      'POST /v1/agents/{link_id}/keys': [`/v1/agents/${desk}/keys`, { name: 'another key of an agent' }],
      'PUT /v1/agents/{link_id}/keys/{key_id}/namespaces': [
        `/v1/agents/${desk}/keys/${agentKey}/namespaces`,
        { namespace_ids: ['default'] },
      ],
      'DELETE /v1/agents/{link_id}/keys/{key_id}': [`/v1/agents/${desk}/keys/${agentKey}`],
      'DELETE /v1/grants/{grant_id}': [`/v1/grants/${grant}`],
      'PUT /v1/rules': ['/v1/rules', { ...rules, sensitive: 'reject' }],
      'POST /v1/approvals/{approval_id}/approve': [`/v1/approvals/${waiting[0]}/approve`],
      'POST /v1/approvals/{approval_id}/reject': [`/v1/approvals/${waiting[1]}/reject`],
      'POST /v1/attestation-keys': ['/v1/attestation-keys', { public_key: publicKeys[1] }],
      'DELETE /v1/attestation-keys/{key_id}': [`/v1/attestation-keys/${signer}`],
      // A key of RFC 8032, section 7.1.
      'POST /v1/agent-id': [
        '/v1/agent-id',
        { public_key: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a' },
      ],
      'PATCH /v1/workspace': ['/v1/workspace', { name: 'Another name' }],
      'PUT /v1/session/password': ['/v1/session/password', passwords],
      'POST /v1/members': ['/v1/members', { email: 'mallory@example.org', role: 'reader' }],
      'PATCH /v1/members/{member_id}': [`/v1/members/${member}`, { role: 'member' }],
      'DELETE /v1/members/{member_id}': [`/v1/members/${member}`],
    };
  }

  // @covers ERR-receipt_unavailable
  it('does nothing that it cannot record, and does it afterwards', async () => {
    const calls = await writes();
    // Links to ERC-8004 need a chain: test/slow/ethereum/erc8004-linking.test.ts tries them.
    const tried = may('receipt_unavailable').filter(({ name }) => !name.endsWith('/erc8004'));
    expect(Object.keys(calls).sort()).toEqual(tried.map(({ name }) => name).sort());
    const newest = async () => (await owner('GET', '/v1/receipts?limit=1')).json.data[0].seq;
    const before = await newest();
    const each = async (status: unknown, refusal: string | null) => {
      for (const [name, [path, body]] of Object.entries(calls)) {
        const reply = await owner(name.split(' ')[0] ?? '', path, body);
        expect([name, ...code(reply)]).toEqual([name, status, refusal]);
      }
    };
    await withBroken(people.service().app.database, 'entries', () => each(503, 'receipt_unavailable'));
    expect(await newest()).toBe(before);
    await each(
      expect.toSatisfy((status: number) => status < 300),
      null,
    );
  });
});
