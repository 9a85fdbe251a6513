import { describe, expect, it } from 'vitest';
import { code, usePeople } from '../../../http/people.js';
import { stores } from '../../../support/stores.js';

/** Everything that a workspace asks of writes. The same on every store. */
describe.each(stores)('rules on %s', () => {
  const people = usePeople();
  const set = (role: string, body: object) => people.as(role).call('PUT', '/v1/rules', body);
  const none = { pause_all: false, sensitive: 'redact' };
  const memories = async () => (await people.as('owner').call('GET', '/v1/memories/export')).json.data.length;

  // @covers RULE-WHO
  it('shows that there are none at first', async () => {
    expect((await people.as('admin').call('GET', '/v1/rules')).json).toEqual({ ...none, ask_owner: [] });
    expect(code(await people.as('member').call('GET', '/v1/rules'))).toEqual([403, 'admin_required']);
    expect(code(await people.service().call('GET', '/v1/rules'))).toEqual([403, 'user_session_required']);
  });

  // @covers RULE-REJECT RULE-REJECT-KINDS ERR-content_rejected
  it('refuses sensitive values where the workspace wants that, and stores nothing of them', async () => {
    expect((await set('admin', { ...none, sensitive: 'reject' })).json.receipt_id).toMatch(/^rcp_/);
    expect((await set('admin', { ...none, sensitive: 'reject' })).json.receipt_id).toBeNull();
    const before = await memories();
    const found = { content: 'write to ada@example.org', metadata: { card: '4111 1111 1111 1111' } };
    const refused = await people.service().call('POST', '/v1/memories', found);
    expect(code(refused)).toEqual([400, 'content_rejected']);
    expect(refused.json.error.details).toEqual({ kinds: { email: 1, card: 1 } });
    expect(refused.text).not.toMatch(/ada|4111/);
    const imported = { kind: 'text', content: 'call +44 20 7946 0958' };
    expect(code(await people.as('owner').call('POST', '/v1/ingest', imported))).toEqual([400, 'content_rejected']);
    expect(await memories()).toBe(before);
    expect((await people.service().call('POST', '/v1/memories', { content: 'nothing of the kind' })).status).toBe(202);
    await set('owner', none);
    const { json } = await people.service().call('POST', '/v1/memories', found);
    const kept = (await people.service().call('GET', `/v1/memories/${json.memory_id}`)).json;
    expect([kept.content, kept.metadata]).toEqual(['write to [redacted]', { card: '[redacted]' }]);
  });

  // @covers ADD-ORDER RULE-PAUSE RULE-PAUSE-OWNER RULE-PAUSE-READS ERR-tenant_paused
  it('pauses every agent, until the owner resumes', async () => {
    const paused = { ...none, pause_all: true };
    expect(code(await set('admin', paused))).toEqual([403, 'admin_required']);
    expect(code(await set('owner', paused))).toEqual([200, null]);
    const held = { content: 'while paused' };
    expect(code(await people.service().call('POST', '/v1/memories', held))).toEqual([423, 'tenant_paused']);
    const imported = { kind: 'text', ...held };
    expect(code(await people.service().call('POST', '/v1/ingest', imported))).toEqual([423, 'tenant_paused']);
    // What is wrong with the request is said first, and people and reads continue.
    const elsewhere = { ...held, namespace: 'nowhere' };
    expect(code(await people.service().call('POST', '/v1/memories', elsewhere))).toEqual([404, 'namespace_not_found']);
    const agent = { 'x-service-agent': `agn_${'p'.repeat(32)}` };
    await people.as('owner').call('POST', '/v1/agents', { agent_id: agent['x-service-agent'] });
    const named = await people.as('member').call('POST', '/v1/memories', held, agent);
    expect(code(named)).toEqual([423, 'tenant_paused']);
    // Refused before the address is looked at, which could not be fetched either.
    const page = { kind: 'url', url: 'http://127.0.0.1/' };
    expect(code(await people.service().call('POST', '/v1/ingest', page))).toEqual([423, 'tenant_paused']);
    expect(code(await people.as('member').call('POST', '/v1/memories', held))).toEqual([202, null]);
    expect(code(await people.service().call('POST', '/v1/memories/search', { query: 'paused' }))).toEqual([200, null]);
    expect(code(await set('admin', { ...paused, sensitive: 'reject' }))).toEqual([200, null]);
    expect(code(await set('admin', none))).toEqual([403, 'admin_required']);
    expect(code(await set('owner', none))).toEqual([200, null]);
    const resumed = { content: 'after the pause' };
    expect(code(await people.service().call('POST', '/v1/memories', resumed))).toEqual([202, null]);
  });

  // @covers RULE-ASK-FIELDS RULE-WHO
  it('is shown what is wrong', async () => {
    const wrong = [{}, { pause_all: false }, { ...none, pause_all: 1 }, { ...none, sensitive: 'keep' }];
    const asks = [{}, [{}], ['x'], [{ source: '' }], [{ source: 7 }], [{ min_bytes: 0 }], [{ user_id: 'x' }]];
    const many = (length: number, source: string) => Array.from({ length }, () => ({ source }));
    // Too many, and too long together: as JSON a control character is six.
    const rules = [...asks, [{ namespace_id: 'default' }], many(101, 'x'), many(11, '\u0001'.repeat(1000))];
    for (const body of [...wrong, ...rules.map((ask_owner) => ({ ...none, ask_owner }))]) {
      expect(code(await set('owner', body))).toEqual([400, 'invalid_request']);
    }
    const nowhere = { ...none, ask_owner: [{ namespace_id: '018f0000-0000-7000-8000-000000000000' }] };
    expect(code(await set('owner', nowhere))).toEqual([404, 'namespace_not_found']);
    expect(code(await set('owner', { ...none, paused: true }))).toEqual([400, 'invalid_request']);
    expect(code(await set('reader', none))).toEqual([403, 'admin_required']);
  });
});
