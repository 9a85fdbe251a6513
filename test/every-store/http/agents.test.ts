import { describe, expect, it } from 'vitest';
import { lexicalEmbedder } from '../../../src/adapters/embeddings/lexical.js';
import { realWorld } from '../../../src/base/world.js';
import { fsck } from '../../../src/maintenance/fsck.js';
import { rebuildables } from '../../../src/maintenance/rebuildable.js';
import { code, usePeople } from '../../http/people.js';
import { signedIn } from '../../http/person.js';
import type { Reply } from '../../http/service.js';
import { stores } from '../../support/stores.js';

/** Linking agents to a workspace, and what a request is that names one. The same on every store. */
describe.each(stores)('agents on %s', () => {
  const people = usePeople();
  const identity = (letter: string) => `agn_${letter.repeat(32)}`;
  const link = async (agent_id: string, name?: string) =>
    (await people.as('owner').call('POST', '/v1/agents', { agent_id, name })).json;
  const by = (agent: string, method: string, path: string, body?: unknown) =>
    people.service().call(method, path, body, { 'x-service-agent': agent });
  const provenanceOf = async (reply: Reply) =>
    (await people.service().call('GET', `/v1/memories/${reply.json.memory_id}`)).json.provenance;

  // @covers AGENT-LINK ERR-agent_exists
  it('links an agent, shows its token once, and lists it', async () => {
    const made = await people.as('owner').call('POST', '/v1/agents', { agent_id: identity('a'), name: ' Ada ' });
    expect(made.status).toBe(201);
    const members = ['agent_id', 'created_at', 'handle', 'id', 'name', 'proved', 'receipt_id', 'token'];
    expect(Object.keys(made.json).sort()).toEqual(members);
    expect(made.json).toMatchObject({ agent_id: identity('a'), name: 'Ada' });
    expect(made.json.token).toMatch(/^agt_[0-9A-Za-z]{43}$/);
    expect(made.json.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    const { receipt_id, token, ...listed } = made.json;
    const list = await people.as('admin').call('GET', '/v1/agents');
    expect(list.json).toEqual({ data: [{ ...listed, keys: 0, last_used_at: null }], next_cursor: null });
    const receipt = await people.as('owner').call('GET', `/v1/receipts/${receipt_id}`);
    expect(receipt.json).toMatchObject({ kind: 'agent.linked', body: { agent_id: identity('a'), name: 'Ada' } });
    const stored = await people
      .service()
      .app.database.read((tx) => tx.query('select v::text as row from vault v union all select a::text from agents a'));
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(code(await people.as('owner').call('POST', '/v1/agents', { agent_id: identity('a') }))).toEqual([
      409,
      'agent_exists',
    ]);
  });

  it('pages through the list, newest first, and takes no cursor of another list', async () => {
    await link(identity('b'));
    await link(identity('c'));
    const first = (await people.as('owner').call('GET', '/v1/agents?limit=2')).json;
    expect(first.data.map((one: { agent_id: string }) => one.agent_id)).toEqual([identity('c'), identity('b')]);
    const rest = (await people.as('owner').call('GET', `/v1/agents?limit=2&cursor=${first.next_cursor}`)).json;
    expect([rest.data[0].agent_id, rest.next_cursor]).toEqual([identity('a'), null]);
    for (const query of ['cursor=x', `cursor=${first.next_cursor}x`]) {
      expect(code(await people.as('owner').call('GET', `/v1/agents?${query}`))).toEqual([400, 'invalid_cursor']);
    }
    expect(code(await people.as('owner').call('GET', '/v1/agents?limit=0'))).toEqual([400, 'invalid_request']);
  });

  it('takes nothing for an identity that is none', async () => {
    const wrong = ['', 'agn_', identity('A'), identity('1'), identity('a').slice(1), `${identity('d')}d`, 7, null];
    for (const agent_id of [...wrong, undefined, ` ${identity('d')}`, `${identity('d')}\n`]) {
      const reply = await people.as('owner').call('POST', '/v1/agents', { agent_id });
      expect([agent_id, ...code(reply)]).toEqual([agent_id, 400, 'invalid_request']);
    }
    for (const name of ['', 'x'.repeat(65), 'a\u0007', 7]) {
      const reply = await people.as('owner').call('POST', '/v1/agents', { agent_id: identity('d'), name });
      expect(code(reply)).toEqual([400, 'invalid_name']);
    }
  });

  it('is changed by owners and admins who are signed in', async () => {
    const id = realWorld.id();
    const calls = [
      ['POST', '/v1/agents', { agent_id: identity('x') }],
      ['DELETE', `/v1/agents/${id}`, undefined],
    ] as const;
    for (const [method, path, body] of calls) {
      expect(code(await people.service().call(method, path, body))).toEqual([403, 'user_session_required']);
      for (const role of ['member', 'reader']) {
        expect(code(await people.as(role).call(method, path, body))).toEqual([403, 'admin_required']);
      }
      expect(code(await people.as('none').call(method, path, body))).toEqual([403, 'workspace_role_required']);
    }
  });

  // @covers IDEM-SECRETS ERR-idempotency_key_reused
  it('gives the answer of a repeated request without the token', async () => {
    const headers = { 'idempotency-key': 'link-e' };
    const body = { agent_id: identity('e') };
    const first = await people.as('owner').call('POST', '/v1/agents', body, headers);
    const again = await people.as('owner').call('POST', '/v1/agents', body, headers);
    expect(again.json).toEqual({ ...first.json, token: null });
    expect(first.json.token).toMatch(/^agt_/);
    const write = (agent: string) =>
      people.service().call('POST', '/v1/memories', { content: 'a crake' }, { ...headers, 'x-service-agent': agent });
    const { agent_id } = await link(identity('l'));
    expect(code(await write(identity('e')))).toEqual([202, null]);
    expect(code(await write(identity('e')))).toEqual([202, null]);
    expect(code(await write(agent_id))).toEqual([422, 'idempotency_key_reused']);
  });

  // @covers MEM-PROVENANCE-AGENT AGENT-HEADER
  it('writes for the agent that a request names, by identity and by token, for keys and for people', async () => {
    const { token, agent_id } = await link(identity('f'), 'writer');
    const admin = people.admin();
    const { workspaceId, namespaceId } = people.first();
    const key = await admin.key(workspaceId, { namespaceIds: [namespaceId], agentId: 'the agent of the key' });
    const own = { authorization: `Bearer ${key}` };
    const call = (headers: object, content: string) =>
      people.service().call('POST', '/v1/memories', { content }, { ...own, ...headers });
    expect((await provenanceOf(await call({}, 'by the key'))).agent_id).toBe('the agent of the key');
    expect((await provenanceOf(await call({ 'x-service-agent': agent_id }, 'by id'))).agent_id).toBe(agent_id);
    expect((await provenanceOf(await call({ 'x-service-agent': token }, 'by token'))).agent_id).toBe(agent_id);
    const content = 'a heron that a person has seen for an agent';
    const person = await people.as('member').call('POST', '/v1/memories', { content }, { 'x-service-agent': agent_id });
    const { user } = (await people.as('member').call('GET', '/v1/session')).json;
    expect(await provenanceOf(person)).toEqual({ user_id: user.id, agent_id, app_id: null, run_id: null });
  });

  // @covers SEARCH-AGENT
  it('allows lists, searches and receipts be asked for by agent', async () => {
    const { agent_id } = await link(identity('g'));
    const content = 'a bittern in the reeds';
    const mine = await by(agent_id, 'POST', '/v1/memories', { content });
    await people.service().call('POST', '/v1/memories', { content: 'a bittern in the reeds by no one' });
    await people.settled();
    const ask = people.service().call;
    const list = (await ask('GET', `/v1/memories?agent_id=${agent_id}`)).json.data;
    expect(list.map((one: { id: string }) => one.id)).toEqual([mine.json.memory_id]);
    const found = await ask('POST', '/v1/memories/search', { query: 'bittern', agent_id });
    expect(found.json.data.map((hit: { memory_id: string }) => hit.memory_id)).toEqual([mine.json.memory_id]);
    await by(agent_id, 'POST', '/v1/memories/search', { query: 'bittern' });
    const receipts = (await ask('GET', `/v1/receipts?agent=${agent_id}`)).json.data;
    expect(receipts.map((one: { kind: string }) => one.kind)).toEqual(['memory.recall', 'memory.write']);
    expect(receipts[1].actor.agent_id).toBe(agent_id);
  });

  it('refuses no matter what else is in the header, anyone who sends it', async () => {
    const { token } = await link(identity('h'));
    const others = [identity('z'), 'Ada', 'x', token.slice(0, -1), `agt_${'0'.repeat(43)}`, token.toUpperCase()];
    for (const agent of others) {
      expect([agent, ...code(await by(agent, 'GET', '/v1/memories'))]).toEqual([agent, 403, 'agent_not_linked']);
      const person = await people.as('owner').call('GET', '/v1/memories', undefined, { 'x-service-agent': agent });
      expect(code(person)).toEqual([403, 'agent_not_linked']);
    }
    const wrongKey = { authorization: 'Bearer ak_unknown', 'x-service-agent': token };
    expect(code(await people.service().call('GET', '/v1/memories', undefined, wrongKey))).toEqual([
      401,
      'unauthorized',
    ]);
  });

  // @covers ERR-agent_not_found
  it('knows no agent of another workspace', async () => {
    const { token, agent_id, id } = await link(identity('i'));
    const { key } = await people.admin().workspace();
    for (const agent of [token, agent_id]) {
      const headers = { authorization: `Bearer ${key}`, 'x-service-agent': agent };
      expect(code(await people.service().call('GET', '/v1/memories', undefined, headers))).toEqual([
        403,
        'agent_not_linked',
      ]);
    }
    const other = await people.admin().workspace();
    const outsider = await people.admin().member(other.workspaceId, 'owner');
    const owner = await signedIn(people.service(), outsider);
    expect((await owner.call('GET', '/v1/agents')).json.data).toEqual([]);
    expect(code(await owner.call('DELETE', `/v1/agents/${id}`))).toEqual([404, 'agent_not_found']);
    // The same identity may be linked to as many workspaces as want it.
    expect(code(await owner.call('POST', '/v1/agents', { agent_id }))).toEqual([201, null]);
  });

  // @covers AGENT-UNLINK
  it('unlinks an agent within a second, and links it again with another token', async () => {
    const { id, token, agent_id } = await link(identity('j'));
    expect(code(await by(token, 'GET', '/v1/memories'))).toEqual([200, null]);
    const gone = await people.as('admin').call('DELETE', `/v1/agents/${id.toUpperCase()}`);
    expect(gone.json).toEqual({ id, unlinked: true, receipt_id: expect.stringMatching(/^rcp_/) });
    expect(code(await people.as('admin').call('DELETE', `/v1/agents/${id}`))).toEqual([404, 'agent_not_found']);
    expect(code(await people.as('admin').call('DELETE', '/v1/agents/x'))).toEqual([404, 'agent_not_found']);
    expect(code(await by(token, 'GET', '/v1/memories'))).toEqual([403, 'agent_not_linked']);
    const again = await link(agent_id);
    expect(again.id).not.toBe(id);
    expect(code(await by(token, 'GET', '/v1/memories'))).toEqual([403, 'agent_not_linked']);
    expect(code(await by(again.token, 'GET', '/v1/memories'))).toEqual([200, null]);
  });

  it('links an agent once, however many ask at once', async () => {
    const body = { agent_id: identity('k') };
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => people.as('owner').call('POST', '/v1/agents', body)),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(409)]);
  });

  it('leaves a store in which nothing is wrong', async () => {
    const checked = await fsck(people.service().app.database, rebuildables(lexicalEmbedder()), {
      onProgress: () => undefined,
    });
    expect(checked.faults).toBeNull();
  });
});
