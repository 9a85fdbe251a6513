import { beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../../../contracts/limits.js';
import type { NewGrant } from '../../../../src/commands/grants.js';
import type { AccessToken } from '../../../../src/mcp/credentials.js';
import { keysOfDatabase } from '../../../../src/wiring/known-keys.js';
import { wireIdentifyMcp } from '../../../../src/wiring/mcp.js';
import { ask } from '../../../http/ask.js';
import { code, usePeople } from '../../../http/people.js';
import { type Person, signedIn } from '../../../http/person.js';
import { laterWorld, testWorld } from '../../../http/service.js';
import { accessToken, registeredClient } from '../../../mcp/access-token.js';
import { stores } from '../../../support/stores.js';

const agent = `agn_${'k'.repeat(32)}`;
const otherAgent = `agn_${'o'.repeat(32)}`;
const all = ['mcp:tools', 'memory.read', 'memory.write'] as const;

/** Grants of OAuth: who sees and ends them, and who calls with them over MCP. The same on every store. */
describe.each(stores)('grants on %s', () => {
  const people = usePeople();
  const owner = (method: string, path: string, body?: object) => people.as('owner').call(method, path, body);
  const idOf = async (person: Person): Promise<string> => (await person.call('GET', '/v1/session')).json.user.id;
  const ids: Record<string, string> = {};
  let token = '';
  beforeAll(async () => {
    for (const role of ['owner', 'admin', 'member', 'reader']) ids[role] = await idOf(people.as(role));
    token = (await owner('POST', '/v1/agents', { agent_id: agent })).json.token;
    await owner('POST', '/v1/agents', { agent_id: otherAgent });
  });
  /** The clients of grants: another one each time, because a second grant to the same client replaces the first. */
  const clients = new Map<string, string>();
  const grantOf = async (memberId: string, more: Partial<NewGrant> = {}) => {
    const given = { clientId: `client-${clients.size}`, namespaceIds: [people.first().namespaceId], ...more };
    const id = await people.admin().grant(people.first().workspaceId, memberId, given);
    clients.set(id, given.clientId);
    return id;
  };
  const newMember = async () => {
    const person = await signedIn(people.service(), await people.admin().member(people.first().workspaceId, 'member'));
    return { person, id: await idOf(person) };
  };

  let ahead = 0;
  /** The caller with a token of this grant, beside these headers. */
  const by = (grantId: string, token: Partial<AccessToken> = {}, headers: Record<string, string> = {}) => {
    const { database } = people.service().app;
    const world = laterWorld(testWorld, () => ahead);
    const verify = async (text: string) =>
      text === 'signed' ? { grantId, clientId: clients.get(grantId) ?? 'none', scopes: all, ...token } : null;
    const knownKeys = keysOfDatabase(database);
    const identify = wireIdentifyMcp({ world, database, background: database, knownKeys }, verify);
    return identify({ authorization: 'Bearer signed', ...headers });
  };
  const refused = (client: ReturnType<typeof by>) =>
    client.then(
      () => 'not refused',
      (refusal) => refusal.code,
    );

  // @covers GRANT-CALLER
  it('act for their person, under their client, in the name of their agent', async () => {
    const { workspaceId, namespaceId } = people.first();
    const id = await grantOf(ids.member ?? '', { agentId: agent });
    const client = { app_id: 'Desk (desk.example.org)', client_id: clients.get(id) };
    const actor = { type: 'grant', id, user_id: ids.member, agent_id: agent, ...client, run_id: null };
    expect(await by(id)).toEqual({
      caller: {
        workspaceId,
        actor: { ...actor, via: 'mcp' },
        scopes: all,
        namespaceIds: [namespaceId],
        agent,
        role: null,
        memoryApi: true,
      },
      countedBy: id,
    });
    const { caller } = await by(await grantOf(ids.member ?? ''));
    expect([caller.agent, caller.actor.agent_id]).toEqual([null, null]);
  });

  // @covers GRANT-OTHER-AGENT
  it('may name another linked agent, and no other one', async () => {
    const id = await grantOf(ids.member ?? '', { agentId: otherAgent });
    for (const named of [agent, token]) {
      const { caller } = await by(id, {}, { 'x-service-agent': named });
      expect([caller.agent, caller.actor.agent_id]).toEqual([agent, agent]);
    }
    for (const named of [`agn_${'z'.repeat(32)}`, 'no one', '']) {
      expect(await refused(by(id, {}, { 'x-service-agent': named }))).toBe('agent_not_linked');
    }
  });

  // @covers GRANT-SCOPES
  it('give a token the scopes that both have, and need mcp:tools', async () => {
    const id = await grantOf(ids.member ?? '', { scopes: ['mcp:tools', 'memory.read'] });
    expect((await by(id)).caller.scopes).toEqual(['mcp:tools', 'memory.read']);
    expect((await by(id, { scopes: ['mcp:tools', 'memory.write'] })).caller.scopes).toEqual(['mcp:tools']);
    expect(await refused(by(id, { scopes: ['memory.read'] }))).toBe('insufficient_scope');
    expect(await refused(by(id, { scopes: [] }))).toBe('insufficient_scope');
  });

  // @covers GRANT-NARROWED
  it('are narrowed with the next call when the role of their person is', async () => {
    const { id } = await newMember();
    const [both, write] = [await grantOf(id), await grantOf(id, { scopes: ['mcp:tools', 'memory.write'] })];
    const role = (to: string) => owner('PATCH', `/v1/members/${id}`, { role: to });
    const seen = async (grant: string) => {
      const { role, scopes } = (await by(grant)).caller;
      return [role, scopes];
    };
    await role('reader');
    expect(await seen(both)).toEqual([null, ['mcp:tools', 'memory.read']]);
    expect(await seen(write)).toEqual([null, ['mcp:tools', 'memory.read']]);
    await role('none');
    expect((await seen(both))[0]).toBe('none');
    await role('owner');
    expect(await seen(both)).toEqual([null, all]);
  });

  // @covers GRANT-ENDS GRANT-CALLER
  it('end with their revocation, their person, their agent and their 90 days', async () => {
    const { person, id: leaving } = await newMember();
    const gone = await grantOf(leaving);
    const revoked = await grantOf(leaving);
    expect((await person.call('DELETE', `/v1/grants/${revoked}`)).status).toBe(200);
    expect(await refused(by(revoked))).toBe('unauthorized');
    expect(await refused(by(gone))).toBe('not refused');
    await owner('DELETE', `/v1/members/${leaving}`);
    expect(await refused(by(gone))).toBe('unauthorized');
    const third = `agn_${'t'.repeat(32)}`;
    const link = (await owner('POST', '/v1/agents', { agent_id: third })).json.id;
    const ofAgent = await grantOf(ids.member ?? '', { agentId: third });
    await owner('DELETE', `/v1/agents/${link}`);
    await owner('POST', '/v1/agents', { agent_id: third });
    expect(await refused(by(ofAgent))).toBe('unauthorized');
    const old = await grantOf(ids.member ?? '');
    expect(await refused(by(old, { clientId: 'another client' }))).toBe('unauthorized');
    ahead = limits.grantMs - 60_000;
    expect(await refused(by(old))).toBe('not refused');
    ahead = limits.grantMs + 60_000;
    expect(await refused(by(old))).toBe('unauthorized');
    ahead = 0;
    expect(await refused(by('no-such-grant'))).toBe('unauthorized');
  });

  // @covers GRANT-REPLACED
  it('replace an earlier one of the same person to the same client for the same agent, and no other one', async () => {
    const [one, other] = [await newMember(), await newMember()];
    const clientId = 'the-same-client';
    const first = await grantOf(one.id, { clientId });
    const kept = [
      await grantOf(one.id, { clientId, agentId: agent }),
      await grantOf(one.id, { clientId: 'another-client' }),
      await grantOf(other.id, { clientId }),
    ];
    const second = await grantOf(one.id, { clientId, scopes: ['mcp:tools', 'memory.read'] });
    expect(await refused(by(first))).toBe('unauthorized');
    for (const grant of [second, ...kept]) expect(await refused(by(grant))).toBe('not refused');
    const { data } = (await one.person.call('GET', '/v1/grants')).json;
    expect(data.map(({ id }: { id: string }) => id)).toEqual([second, kept[1], kept[0]]);
  });

  // @covers GRANT-PASSWORD
  it('end in all workspaces when their person changes the password, and not those of others', async () => {
    const email = 'mover@example.org';
    const password = 'the password of before';
    const { namespaceId } = people.first();
    const admin = people.admin();
    const { id } = (await owner('POST', '/v1/members', { email, password, role: 'member' })).json;
    const person = await signedIn(people.service(), { email, password });
    const mine = await grantOf(id, { namespaceIds: [namespaceId] });
    const theirs = await grantOf(ids.member ?? '');
    const elsewhere = await admin.workspace();
    const there = await signedIn(people.service(), await admin.member(elsewhere.workspaceId, 'owner'));
    const second = (await there.call('POST', '/v1/members', { email, role: 'member' })).json;
    const space = (await people.withKey(elsewhere.key, 'GET', '/v1/namespaces')).json.data[0].id;
    const far = await admin.grant(elsewhere.workspaceId, second.id, { clientId: 'far', namespaceIds: [space] });
    clients.set(far, 'far');
    expect([await refused(by(mine)), await refused(by(far))]).toEqual(['not refused', 'not refused']);
    const body = { old_password: password, new_password: 'the password of afterwards' };
    expect((await person.call('PUT', '/v1/session/password', body)).status).toBe(200);
    expect([await refused(by(mine)), await refused(by(far))]).toEqual(['unauthorized', 'unauthorized']);
    expect(await refused(by(theirs))).toBe('not refused');
    expect((await person.call('GET', '/v1/grants')).json.data).toEqual([]);
    const again = await grantOf(id);
    expect(await refused(by(again))).toBe('not refused');
  });

  // @covers GRANT-ENDS
  it('lose a namespace that is deleted, and keep the rest', async () => {
    const other = await people.namespaceNamed('of grants');
    const id = await grantOf(ids.member ?? '', { namespaceIds: [people.first().namespaceId, other] });
    const only = await grantOf(ids.member ?? '', { namespaceIds: [other] });
    await owner('DELETE', `/v1/namespaces/${other}`);
    expect((await by(id)).caller.namespaceIds).toEqual([people.first().namespaceId]);
    expect((await by(only)).caller.namespaceIds).toEqual([]);
  });

  // @covers GRANT-LIST
  it('are listed for their person, and all of them for owners and admins', async () => {
    const { person, id: memberId } = await newMember();
    const id = await grantOf(memberId, { agentId: agent, clientName: 'Notes', redirectHost: 'notes.example.org' });
    const newest = await grantOf(memberId);
    await by(id);
    const listed = async (who: Person) => (await who.call('GET', '/v1/grants?limit=100')).json.data;
    await expect.poll(async () => (await listed(person))[1].last_used_at).not.toBeNull();
    const [, mine] = await listed(person);
    expect((await listed(person)).map((one: { id: string }) => one.id)).toEqual([newest, id]);
    expect(mine).toMatchObject({
      id,
      client_id: clients.get(id),
      client_name: 'Notes',
      redirect_host: 'notes.example.org',
      agent_id: agent,
      scopes: all,
      namespace_ids: [people.first().namespaceId],
      person: { id: memberId },
    });
    expect(Date.parse(mine.expires_at) - Date.parse(mine.created_at)).toBe(limits.grantMs);
    expect(await listed(people.as('admin'))).toContainEqual(mine);
    expect((await listed(people.as('reader'))).map((one: { id: string }) => one.id)).not.toContain(id);
    const first = (await person.call('GET', '/v1/grants?limit=1')).json;
    expect((await person.call('GET', `/v1/grants?limit=1&cursor=${first.next_cursor}`)).json.data).toEqual([mine]);
    expect(code(await person.call('GET', '/v1/grants?cursor=x'))).toEqual([400, 'invalid_cursor']);
  });

  // @covers GRANT-REVOKE
  it('are ended by their person, by owners and by admins, and by no one else', async () => {
    const id = await grantOf(ids.member ?? '');
    const end = async (role: string, grant = id) => code(await people.as(role).call('DELETE', `/v1/grants/${grant}`));
    expect(await end('reader')).toEqual([404, 'grant_not_found']);
    expect(await end('none')).toEqual([403, 'workspace_role_required']);
    for (const wrong of ['x', 'a%00b', 'x'.repeat(200)])
      expect(await end('owner', wrong)).toEqual([404, 'grant_not_found']);
    expect(code(await people.service().call('DELETE', `/v1/grants/${id}`))).toEqual([403, 'user_session_required']);
    expect(code(await people.service().call('GET', '/v1/grants'))).toEqual([403, 'user_session_required']);
    const ended = await people.as('admin').call('DELETE', `/v1/grants/${id}`);
    expect([ended.status, ended.json]).toMatchObject([200, { id, revoked: true }]);
    expect(await end('member')).toEqual([404, 'grant_not_found']);
    const receipt = await owner('GET', `/v1/receipts/${ended.json.receipt_id}`);
    expect(receipt.json).toMatchObject({ kind: 'grant.revoked', body: { grant_id: id, reason: 'person' } });
    const { workspaceId, key } = await people.admin().workspace();
    const theirs = (await people.withKey(key, 'GET', '/v1/namespaces')).json.data[0].id;
    const [member] = await people
      .service()
      .app.database.read((tx) =>
        tx.query<{ id: string }>('select id::text from members where workspace_id = $1', [workspaceId]),
      );
    const elsewhere = await people.admin().grant(workspaceId, member?.id ?? '', { namespaceIds: [theirs] });
    expect(await end('owner', elsewhere)).toEqual([404, 'grant_not_found']);
  });

  // @covers GRANT-APPROVAL
  it('ask for approvals that their person sees and does not decide', async () => {
    await owner('PUT', '/v1/rules', { pause_all: false, sensitive: 'redact', ask_owner: [{ source: 'z' }] });
    const scopes = ['mcp:tools', 'memory.write'] as const;
    const clientId = await registeredClient(people.service());
    const heldFor = async (memberId: string) => {
      const grantId = await grantOf(memberId, { clientId, scopes });
      const token = await accessToken(people.service(), { grantId, clientId, memberId, scopes });
      const actions = [{ kind: 'memory', content: 'held', source: 'z' }];
      const params = { name: 'record_action_batch', arguments: { actions } };
      const { json } = await ask(people.service().app.server.listeningOrigin, 'POST', '/mcp', {
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
      return JSON.stringify(json).match(/apr_[0-9a-f]{32}/)?.[0] ?? JSON.stringify(json);
    };
    const approve = async (role: string, id: string) =>
      code(await people.as(role).call('POST', `/v1/approvals/${id}/approve`, {}));
    const [ofAdmin, ofMember] = [await heldFor(ids.admin ?? ''), await heldFor(ids.member ?? '')];
    const seen = (await people.as('member').call('GET', '/v1/approvals')).json.data;
    expect(seen).toMatchObject([{ id: ofMember, requested_by: { type: 'grant', user_id: ids.member } }]);
    expect((await people.as('member').call('GET', `/v1/approvals/${ofMember}`)).status).toBe(200);
    expect((await people.as('member').call('GET', `/v1/approvals/${ofAdmin}`)).status).toBe(404);
    expect(await approve('admin', ofAdmin)).toEqual([403, 'admin_required']);
    expect(await approve('admin', ofMember)).toEqual([200, null]);
    expect(await approve('owner', ofAdmin)).toEqual([200, null]);
  });
});
