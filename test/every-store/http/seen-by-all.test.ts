import { beforeAll, describe, expect, it } from 'vitest';
import { code, usePeople } from '../../http/people.js';
import { signedIn } from '../../http/person.js';
import { stores } from '../../support/stores.js';

const identity = (letter: string) => `agn_${letter.repeat(32)}`;

/** The agents that every role sees, and the webhooks that admins see of all of them. The same on every store. */
describe.each(stores)('agents and their webhooks on %s', () => {
  const people = usePeople({ ALLOW_PRIVATE_URLS: '1' });
  const hook = async (agent: string, name: string) => {
    const body = { webhook_url: 'https://127.0.0.1:9/in?key=secret', name, pattern: { source: 'x' } };
    return people.as('member').call('POST', '/v1/webhooks', body, { 'x-service-agent': agent });
  };
  const listed = (role: string, query = '') => people.as(role).call('GET', `/v1/workspace/webhooks${query}`);
  beforeAll(async () => {
    expect((await listed('owner')).json).toEqual({ data: [], next_cursor: null });
    expect((await people.as('reader').call('GET', '/v1/agents')).json).toEqual({ data: [], next_cursor: null });
    await people.as('owner').call('POST', '/v1/agents', { agent_id: identity('a'), handle: '@ada', name: 'Ada' });
    await people.as('owner').call('POST', '/v1/agents', { agent_id: identity('b') });
  });

  it('shows every role the names of the agents, and admins the rest', async () => {
    const full = (await people.as('admin').call('GET', '/v1/agents')).json;
    expect(full.data[1]).toEqual({
      id: expect.any(String),
      agent_id: identity('a'),
      handle: '@ada',
      name: 'Ada',
      proved: false,
      created_at: expect.any(String),
      keys: 0,
      last_used_at: null,
    });
    expect((await people.as('owner').call('GET', '/v1/agents')).json).toEqual(full);
    const names = full.data.map(({ id, agent_id, handle, name }: Record<string, unknown>) => ({
      id,
      agent_id,
      handle,
      name,
    }));
    for (const role of ['member', 'reader']) {
      expect((await people.as(role).call('GET', '/v1/agents')).json).toEqual({ data: names, next_cursor: null });
    }
    const first = (await people.as('reader').call('GET', '/v1/agents?limit=1')).json;
    const rest = (await people.as('reader').call('GET', `/v1/agents?limit=1&cursor=${first.next_cursor}`)).json;
    expect([...first.data, ...rest.data]).toEqual(names);
    expect(code(await people.as('none').call('GET', '/v1/agents'))).toEqual([403, 'workspace_role_required']);
    expect(code(await people.service().call('GET', '/v1/agents'))).toEqual([403, 'user_session_required']);
    for (const role of ['member', 'reader']) {
      expect(code(await people.as(role).call('POST', '/v1/agents', { agent_id: identity('c') }))).toEqual([
        403,
        'admin_required',
      ]);
      expect(code(await people.as(role).call('DELETE', `/v1/agents/${names[0].id}`))).toEqual([403, 'admin_required']);
    }
  });

  it('shows admins the webhooks of all agents, each with its agent, and no address', async () => {
    const one = (await hook(identity('a'), 'one')).json;
    const two = (await hook(identity('b'), 'two')).json;
    const { status, json, text } = await listed('admin');
    const { secret: _, ...shown } = two;
    expect([status, json.data.map(({ id }: { id: string }) => id)]).toEqual([200, [two.id, one.id]]);
    expect(json.data[0]).toEqual({ ...shown, agent: { agent_id: identity('b'), handle: null, name: null } });
    expect(json.data[1].agent).toEqual({ agent_id: identity('a'), handle: '@ada', name: 'Ada' });
    expect(text).not.toMatch(/secret|whsec_|key=/);
    const first = (await listed('owner', '?limit=1')).json;
    const rest = (await listed('owner', `?limit=1&cursor=${first.next_cursor}`)).json;
    expect([...first.data, ...rest.data, rest.next_cursor]).toEqual([...json.data, null]);
    const agents = (await people.as('owner').call('GET', '/v1/agents')).json.data;
    await people.as('owner').call('DELETE', `/v1/agents/${agents[0].id}`);
    expect((await listed('owner')).json.data.map(({ id }: { id: string }) => id)).toEqual([one.id]);
  });

  it('refuses all other callers, and a query that is wrong', async () => {
    for (const role of ['member', 'reader']) expect(code(await listed(role))).toEqual([403, 'admin_required']);
    expect(code(await listed('none'))).toEqual([403, 'workspace_role_required']);
    expect(code(await people.service().call('GET', '/v1/workspace/webhooks'))).toEqual([403, 'user_session_required']);
    const { next_cursor } = (await people.as('owner').call('GET', '/v1/agents?limit=1')).json;
    for (const cursor of ['x', next_cursor ?? 'y']) {
      expect(code(await listed('owner', `?cursor=${cursor}`))).toEqual([400, 'invalid_cursor']);
    }
    for (const query of ['limit=0', 'limit=101', 'agent=x']) {
      expect(code(await listed('owner', `?${query}`))).toEqual([400, 'invalid_request']);
    }
  });

  it('shows nothing of another workspace', async () => {
    await hook(identity('a'), 'mine');
    const other = await people.admin().workspace();
    const outsider = await signedIn(people.service(), await people.admin().member(other.workspaceId, 'owner'));
    for (const path of ['/v1/workspace/webhooks', '/v1/agents']) {
      expect((await outsider.call('GET', path)).json).toEqual({ data: [], next_cursor: null });
    }
    const { next_cursor } = (await listed('owner', '?limit=1')).json;
    expect(next_cursor).toEqual(expect.any(String));
    expect(code(await outsider.call('GET', `/v1/workspace/webhooks?cursor=${next_cursor}`))).toEqual([
      400,
      'invalid_cursor',
    ]);
  });
});
