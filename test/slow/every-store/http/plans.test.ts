import { describe, expect, it } from 'vitest';
import { lexicalEmbedder } from '../../../../src/adapters/embeddings/lexical.js';
import { fsck } from '../../../../src/maintenance/fsck.js';
import { rebuildables } from '../../../../src/maintenance/rebuildable.js';
import { code, usePeople } from '../../../http/people.js';
import { stores } from '../../../support/stores.js';

/** Plans, the meter and what happens at their limits. The same on every store. */
describe.each(stores)('plans on %s', () => {
  const people = usePeople();
  const usage = async () => (await people.service().call('GET', '/v1/usage')).json;
  const write = (content: string, path = '/v1/memories', body: object = {}) =>
    people.service().call('POST', path, { content, ...body });
  const sql = (text: string) => people.service().app.database.transaction((tx) => tx.query(text));

  // @covers METER-ACTIONS METER-USAGE PLAN-ENTERPRISE
  it('counts the receipts that are actions, and the memories that are held', async () => {
    const before = await usage();
    expect(before).toMatchObject({ plan: 'enterprise', actions: { limit: null }, people: { used: 4, limit: null } });
    const { json } = await write('a counted memory');
    await write('a counted memory');
    await write('another counted memory');
    await people.service().call('POST', '/v1/memories/search', { query: 'counted' });
    await people.service().call('DELETE', `/v1/memories/${json.memory_id}`);
    expect(code(await write(''))).toEqual([400, 'invalid_content']);
    const after = await usage();
    expect(after.actions.used).toBe(before.actions.used + 3);
    expect(after.memories).toEqual({ used: before.memories.used + 1, limit: null });
    expect(after.resets_at).toMatch(/^\d{4}-\d\d-01T00:00:00.000Z$/);
    expect(after.resets_at > new Date().toISOString()).toBe(true);
  });

  // @covers ADD-ORDER METER-USAGE METER-BODY METER-GOES-ON METER-TOGETHER PLAN-FREE-ACTIONS ERR-plan_action_limit
  it('refuses writes when the actions of the month are used, exactly and only those', async () => {
    const { workspaceId } = people.first();
    await people.admin().provision(workspaceId, 'free');
    const { json: kept } = await write('written before the limit');
    const { actions } = await usage();
    await people.admin().act(workspaceId, 10_000 - actions.used - 5);
    const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => write(`at the limit ${i}`)));
    expect(replies.filter(({ status }) => status === 202)).toHaveLength(5);
    const refused = replies.filter(({ status }) => status === 402);
    expect(refused).toHaveLength(15);
    expect(refused[0]?.json).toEqual({
      error: 'plan_action_limit',
      message: expect.any(String),
      current_plan: 'free',
      limit: 10_000,
      used: 10_000,
      request_id: expect.any(String),
    });
    const imported = await write('imported', '/v1/ingest', { kind: 'text' });
    expect([imported.status, imported.json.error]).toEqual([402, 'plan_action_limit']);
    expect(await usage()).toMatchObject({ plan: 'free', actions: { used: 10_000, limit: 10_000 } });
    // What is there already is no write, and what is no write continues.
    expect((await write('written before the limit')).json.duplicate).toBe(true);
    expect((await people.service().call('POST', '/v1/memories/search', { query: 'limit' })).status).toBe(200);
    expect((await people.service().call('DELETE', `/v1/memories/${kept.memory_id}`)).status).toBe(200);
    const rules = { pause_all: true, sensitive: 'redact', ask_owner: [{ min_bytes: 1 }] };
    expect((await people.as('owner').call('PUT', '/v1/rules', rules)).status).toBe(200);
    expect(code(await write('paused first'))).toEqual([423, 'tenant_paused']);
    await people.as('owner').call('PUT', '/v1/rules', { ...rules, pause_all: false });
    // A rule that holds comes before the plan; the plan is asked when the write is to happen.
    const held = await write('held at the limit');
    expect(code(held)).toEqual([409, 'approval_required']);
    const { approval_id } = held.json.error.details;
    expect((await people.as('owner').call('POST', `/v1/approvals/${approval_id}/approve`)).status).toBe(200);
    const approved = await write('held at the limit', '/v1/memories', { approval_id });
    expect([approved.status, approved.json.error]).toEqual([402, 'plan_action_limit']);
    await people.as('owner').call('PUT', '/v1/rules', { ...rules, pause_all: false, ask_owner: [] });
    expect((await usage()).actions.used).toBe(10_002);
  });

  // @covers METER-RESET
  it('counts again from the first of the month in UTC', async () => {
    const { resets_at } = await usage();
    people.ahead(Date.parse(resets_at) - Date.now() - 60_000);
    try {
      expect((await write('a minute before the month ends')).json.error).toBe('plan_action_limit');
      people.ahead(Date.parse(resets_at) - Date.now() + 1000);
      const early = await write('in the new month');
      expect(early.status).toBe(202);
      expect(await usage()).toMatchObject({ month: resets_at.slice(0, 7), actions: { used: 1 } });
      // Its job would wait for that month.
      await people.service().call('DELETE', `/v1/memories/${early.json.memory_id}`);
    } finally {
      people.ahead(0);
    }
  });

  // @covers PLAN-PRO
  it('does not stop a paid plan', async () => {
    await people.admin().provision(people.first().workspaceId, 'pro');
    expect((await write('paid for')).status).toBe(202);
    expect((await usage()).actions).toMatchObject({ limit: 100_000 });
  });

  // @covers METER-BODY PLAN-PRO ERR-plan_people_limit
  it('keeps the people of a plan to its seats', async () => {
    const { workspaceId } = people.first();
    const add = (email: string, role: string) => people.as('owner').call('POST', '/v1/members', { email, role });
    await people.admin().provision(workspaceId, 'pro');
    const full = await add('fourth@example.org', 'member');
    expect([full.status, full.json]).toEqual([
      402,
      {
        error: 'plan_people_limit',
        message: expect.any(String),
        request_id: expect.any(String),
        current_plan: 'pro',
        limit: 3,
        used: 4,
      },
    ]);
    const waiting = await add('waiting@example.org', 'none');
    expect(waiting.status).toBe(201);
    const promoted = await people.as('owner').call('PATCH', `/v1/members/${waiting.json.id}`, { role: 'reader' });
    expect([promoted.status, promoted.json.error]).toEqual([402, 'plan_people_limit']);
    await people.admin().provision(workspaceId, 'team');
    expect((await add('fourth@example.org', 'member')).status).toBe(201);
  });

  it('leaves a store whose meter says what its ledger says', async () => {
    await people.settled();
    const { database } = people.service().app;
    const models = rebuildables(lexicalEmbedder());
    expect((await fsck(database, models, { onProgress: () => undefined })).faults).toBeNull();
  });

  // @covers PLAN-FREE-MEMORIES ERR-plan_memory_limit ERR-meter_unavailable
  it('refuses writes beyond the memories of a plan, and when the meter cannot be read', async () => {
    await people.admin().provision(people.first().workspaceId, 'free');
    await sql(`update meter set actions = 0`);
    await sql(`update meter set memories = memories + 9999 - (select sum(memories) from meter)
                where month = '${(await usage()).month}'`);
    const replies = await Promise.all(Array.from({ length: 4 }, (_, i) => write(`the last one ${i}`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([202, 402, 402, 402]);
    expect(replies.find(({ status }) => status === 402)?.json).toMatchObject({
      error: 'plan_memory_limit',
      limit: 10_000,
      used: 10_000,
      request_id: expect.any(String),
    });
    const imported = await people.as('owner').call('POST', '/v1/ingest', { kind: 'text', content: 'one more' });
    expect([imported.status, imported.json.error]).toEqual([402, 'plan_memory_limit']);
    const { memory_id } = replies.find(({ status }) => status === 202)?.json ?? {};
    await people.service().call('DELETE', `/v1/memories/${memory_id}`);
    expect((await write('room again')).status).toBe(202);
    await sql('alter table meter rename to meter_away');
    try {
      const unread = await people.as('owner').call('POST', '/v1/memories', { content: 'unmetered' });
      expect([...code(unread), unread.headers.get('retry-after')]).toEqual([503, 'meter_unavailable', '1']);
      const imported = await people.as('owner').call('POST', '/v1/ingest', { kind: 'text', content: 'unmetered' });
      expect(code(imported)).toEqual([503, 'meter_unavailable']);
    } finally {
      await sql('alter table meter_away rename to meter');
    }
  });
});
