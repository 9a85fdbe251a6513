import { beforeAll, describe, expect, it } from 'vitest';
import { keysOfDatabase } from '../../../src/wiring/known-keys.js';
import { wireIdentifyMcp } from '../../../src/wiring/mcp.js';
import { code, usePeople } from '../../http/people.js';
import { laterWorld, testWorld } from '../../http/service.js';
import { stores } from '../../support/stores.js';

/** The keys of agents: how people manage them, and who calls with them over MCP. The same on every store. */
describe.each(stores)('keys of agents on %s', () => {
  const people = usePeople();
  const identity = (letter: string) => `agn_${letter.repeat(32)}`;
  const owner = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
    people.as('owner').call(method, path, body, headers);
  const link = async (agent_id: string) => (await owner('POST', '/v1/agents', { agent_id })).json;
  let linked: { id: string; token: string };
  beforeAll(async () => {
    linked = await link(identity('k'));
    await link(identity('o'));
  });
  const keys = () => `/v1/agents/${linked.id}/keys`;
  const made = async (body: object = {}) => (await owner('POST', keys(), { name: 'desk', ...body })).json;

  let ahead = 0;
  const identify = (headers: Record<string, string>) => {
    const { database } = people.service().app;
    const world = laterWorld(testWorld, () => ahead);
    const knownKeys = keysOfDatabase(database);
    return wireIdentifyMcp({ world, database, background: database, knownKeys }, async () => null)(headers);
  };
  const by = (token: string, more: Record<string, string> = {}) =>
    identify({ authorization: `Bearer ${token}`, ...more });

  // @covers AGK-FORM AGK-DEFAULT
  it('are shown once, listed without their secret, and revoked', async () => {
    const reply = await owner('POST', keys(), { name: 'desk' });
    expect(reply.status).toBe(201);
    const { key, receipt_id, ...rest } = reply.json;
    expect(key).toMatch(/^agk_[0-9A-Za-z]{43}$/);
    const [scopes, namespace_ids] = [['memory.read', 'memory.write'], [people.first().namespaceId]];
    expect(rest).toMatchObject({ agent_id: identity('k'), name: 'desk', scopes, namespace_ids, last_used_at: null });
    expect((await people.as('admin').call('GET', keys())).json).toEqual({ data: [rest], next_cursor: null });
    const receipt = await owner('GET', `/v1/receipts/${receipt_id}`);
    expect(receipt.json).toMatchObject({ kind: 'agent_key.created', body: { agent_id: identity('k') } });
    const stored = await people
      .service()
      .app.database.read((tx) => tx.query('select v::text r from vault v union all select k::text from agent_keys k'));
    expect(JSON.stringify(stored)).not.toContain(key);
    await made();
    const page = (await owner('GET', `${keys()}?limit=1`)).json;
    expect((await owner('GET', `${keys()}?limit=1&cursor=${page.next_cursor}`)).json.data).toEqual([rest]);
    const gone = await owner('DELETE', `${keys()}/${rest.key_id}`);
    expect([gone.status, gone.json]).toMatchObject([200, { key_id: rest.key_id, revoked: true }]);
    expect(code(await owner('DELETE', `${keys()}/${rest.key_id}`))).toEqual([404, 'key_not_found']);
    await expect(by(key)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  // @covers AGK-FORM
  it('keep their secret when a request is repeated', async () => {
    const again = () => owner('POST', keys(), { name: 'once' }, { 'idempotency-key': 'agent-key-1' });
    const first = (await again()).json;
    expect((await again()).json).toEqual({ ...first, key: null });
  });

  // @covers AGK-DEFAULT
  it('take names, scopes and namespaces as API keys do', async () => {
    const wrong: readonly [object, string][] = [
      [{ name: '' }, 'invalid_name'],
      [{ scopes: [] }, 'invalid_request'],
      [{ scopes: ['mcp:tools'] }, 'invalid_request'],
      [{ namespace_ids: 'default' }, 'invalid_namespace_ids'],
      [{ agent_id: identity('o') }, 'invalid_request'],
    ];
    for (const [body, refusal] of wrong) {
      expect(code(await owner('POST', keys(), { name: 'desk', ...body }))).toEqual([400, refusal]);
    }
    for (const id of ['x', '018f0000-0000-7000-8000-00000000abcd']) {
      expect(code(await owner('POST', `/v1/agents/${id}/keys`, { name: 'k' }))).toEqual([404, 'agent_not_found']);
      expect(code(await owner('GET', `/v1/agents/${id}/keys`))).toEqual([404, 'agent_not_found']);
      expect(code(await owner('DELETE', `${keys()}/${id}`))).toEqual([404, 'key_not_found']);
      expect(code(await owner('PUT', `${keys()}/${id}/namespaces`, { namespace_ids: [] }))[1]).toBe('key_not_found');
    }
  });

  // @covers AGK-ADMIN
  it('are managed by owners and admins of the workspace only', async () => {
    const { key_id } = await made();
    const calls = [
      ['GET', keys(), undefined],
      ['POST', keys(), { name: 'k' }],
      ['DELETE', `${keys()}/${key_id}`, undefined],
      ['PUT', `${keys()}/${key_id}/namespaces`, { namespace_ids: [] }],
    ] as const;
    const { key } = await people.admin().workspace();
    for (const [method, path, body] of calls) {
      const expected = method === 'PUT' ? 'key_binding_forbidden' : 'admin_required';
      expect(code(await people.as('member').call(method, path, body))).toEqual([403, expected]);
      expect(code(await people.withKey(key, method, path, body))).toEqual([403, 'user_session_required']);
    }
  });

  // @covers AGK-CALLER
  it('act for their agent, under their name, with mcp:tools', async () => {
    const { key, key_id } = await made({ name: 'desk', scopes: ['memory.read'] });
    const actor = {
      type: 'agent_key',
      id: key_id,
      user_id: null,
      agent_id: identity('k'),
      app_id: 'desk',
      run_id: null,
    };
    expect(await by(key)).toEqual({
      caller: {
        workspaceId: people.first().workspaceId,
        actor: { ...actor, via: 'mcp' },
        scopes: ['mcp:tools', 'memory.read'],
        namespaceIds: [people.first().namespaceId],
        agent: identity('k'),
        role: null,
        memoryApi: true,
      },
      countedBy: key_id,
    });
  });

  // @covers AGK-OTHER-AGENT
  it('may name their own agent, and no other one', async () => {
    const { key } = await made();
    for (const own of [identity('k'), linked.token]) {
      expect((await by(key, { 'x-service-agent': own })).caller.agent).toBe(identity('k'));
    }
    for (const other of [identity('o'), identity('z'), 'no one']) {
      await expect(by(key, { 'x-service-agent': other })).rejects.toMatchObject({ code: 'agent_not_linked' });
    }
  });

  // @covers MCP-CREDENTIAL
  it('are the only secrets of this kind that /mcp takes', async () => {
    const { key } = await people.newKey();
    const unknown = `agk_${'0'.repeat(43)}`;
    for (const token of [key, 'vk_x', linked.token, 'agk_x', unknown, 'x.y.z']) {
      await expect(by(token)).rejects.toMatchObject({ code: 'unauthorized', status: 401 });
    }
    await expect(identify({ cookie: people.as('owner').cookie() })).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(identify({ authorization: 'Basic YTpi' })).rejects.toMatchObject({ code: 'unauthorized' });
  });

  // @covers AGK-BOUND AGK-UNLINK
  it('lose a namespace with its binding, and everything with the link of their agent', async () => {
    const other = await people.namespaceNamed('of agents');
    const { id, token: _ } = await link(identity('g'));
    const { key, key_id } = (await owner('POST', `/v1/agents/${id}/keys`, { name: 'k', namespace_ids: [other] })).json;
    const reached = async () => (await by(key)).caller.namespaceIds;
    expect(await reached()).toEqual([other]);
    const bound = await owner('PUT', `/v1/agents/${id}/keys/${key_id}/namespaces`, {
      namespace_ids: ['default', other],
    });
    expect([bound.json.key_id, bound.json.data.length]).toEqual([key_id, 2]);
    await owner('DELETE', `/v1/namespaces/${other}`);
    expect(await reached()).toEqual([people.first().namespaceId]);
    await owner('DELETE', `/v1/agents/${id}`);
    await expect(by(key)).rejects.toMatchObject({ code: 'unauthorized' });
    const kinds = (await owner('GET', '/v1/receipts?limit=2')).json.data.map((one: { kind: string }) => one.kind);
    expect(kinds).toEqual(['agent.unlinked', 'agent_key.revoked']);
  });

  // @covers AGK-USED
  it('show when they were used last, to about a minute', async () => {
    const { key, key_id } = await made();
    const used = async () => {
      const { data } = (await owner('GET', keys())).json;
      return data.find((one: { key_id: string }) => one.key_id === key_id).last_used_at;
    };
    await by(key);
    await expect.poll(used).not.toBeNull();
    const first = await used();
    ahead = 10 * 60_000;
    await by(key);
    await expect.poll(async () => Date.parse(await used()) - Date.parse(first)).toBeGreaterThan(9 * 60_000);
    await owner('DELETE', `${keys()}/${key_id}`);
    const left = await people
      .service()
      .app.database.read((tx) => tx.query('select 1 from credential_uses where id = $1', [key_id]));
    expect(left).toEqual([]);
  });
});
