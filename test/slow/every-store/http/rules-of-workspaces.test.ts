import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { workspaceOperations as routes } from '../../../../src/api/operations.js';
import { pages } from '../../../../src/pages/pages.js';
import { code, usePeople } from '../../../http/people.js';
import { signedIn } from '../../../http/person.js';
import { startService } from '../../../http/service.js';
import { stores } from '../../../support/stores.js';

/** The rules of namespaces, plans and the API as a whole, one by one. The same on every store. */
describe.each(stores)('rules of workspaces on %s', () => {
  const people = usePeople();
  const owner = (method: string, path: string, body?: unknown) => people.as('owner').call(method, path, body);

  // @covers NS-FIELDS NS-LIST-ORDER NS-LIST-LIMIT NS-LIST-CURSOR
  it('lists by name, page by page, within its limits', async () => {
    for (const name of ['zebra', 'aardvark', 'marmot']) await people.namespaceNamed(name);
    const all = (await owner('GET', '/v1/namespaces')).json;
    expect(Object.keys(all.data[0]).sort()).toEqual(['created_at', 'id', 'is_default', 'name', 'updated_at']);
    const names = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name);
    expect([names(all), all.next_cursor]).toEqual([['aardvark', 'default', 'marmot', 'zebra'], null]);
    const first = (await owner('GET', '/v1/namespaces?limit=3')).json;
    expect(names(first)).toEqual(['aardvark', 'default', 'marmot']);
    const next = (await owner('GET', `/v1/namespaces?limit=3&cursor=${first.next_cursor}`)).json;
    expect([names(next), next.next_cursor]).toEqual([['zebra'], null]);
    expect((await owner('GET', '/v1/namespaces?limit=1000')).status).toBe(200);
    for (const limit of [0, 1001]) {
      expect(code(await owner('GET', `/v1/namespaces?limit=${limit}`))).toEqual([400, 'invalid_request']);
    }
  });

  // @covers NS-LIST-STATS
  it('counts what is in them when asked', async () => {
    const id = await people.namespaceNamed('counted');
    const stats = async () => {
      const { data } = (await owner('GET', '/v1/namespaces?include=stats')).json;
      return data.find((one: { id: string }) => one.id === id);
    };
    expect(await stats()).toMatchObject({ memory_count: 0, last_activity_at: null });
    await owner('POST', '/v1/memories', { content: 'to be counted', namespace: id });
    expect(await stats()).toMatchObject({ memory_count: 1, last_activity_at: expect.stringMatching(/Z$/) });
  });

  // @covers NS-DELETE-QUERY
  it('moves to what the query names', async () => {
    const [from, to] = [await people.namespaceNamed('from'), await people.namespaceNamed('to')];
    const { json } = await owner('POST', '/v1/memories', { content: 'to be moved', namespace: from });
    const gone = await owner('DELETE', `/v1/namespaces/${from}?move_to=to`);
    expect(gone.json).toEqual({ id: from, deleted: true, moved_to: to, moved: 1 });
    expect((await owner('GET', `/v1/memories/${json.memory_id}`)).json.namespace_id).toBe(to);
  });

  // @covers ERR-namespace_required
  it('asks for a namespace where the workspace has no default one', async () => {
    const { workspaceId, key } = await people.admin().workspace();
    // No route takes the mark away from a namespace: such a workspace comes from elsewhere.
    await people
      .service()
      .app.database.transaction((tx) =>
        tx.query('update namespaces set is_default = false where workspace_id = $1', [workspaceId]),
      );
    const body = { content: 'whereto' };
    const refused = await people.withKey(key, 'POST', '/v1/memories', body);
    expect(code(refused)).toEqual([400, 'namespace_required']);
    const imported = await people.withKey(key, 'POST', '/v1/ingest', { kind: 'text', ...body });
    expect(code(imported)).toEqual([400, 'namespace_required']);
    const person = await signedIn(people.service(), await people.admin().member(workspaceId, 'owner'));
    const bound = await person.call('POST', '/v1/keys', { name: 'bound to the default one' });
    expect(code(bound)).toEqual([400, 'namespace_required']);
    const named = await people.withKey(key, 'POST', '/v1/memories', { ...body, namespace: 'default' });
    expect(named.status).toBe(202);
  });

  // @covers PLAN-TEAM
  it('reports the limits of each plan', async () => {
    const limits = async () => {
      const { actions, memories, people: seats } = (await owner('GET', '/v1/usage')).json;
      return [actions.limit, memories.limit, seats.limit];
    };
    const plans = { free: [10_000, 10_000, 2], pro: [100_000, null, 3], team: [1_000_000, null, null] } as const;
    for (const plan of ['free', 'pro', 'team'] as const) {
      await people.admin().provision(people.first().workspaceId, plan);
      expect([plan, await limits()]).toEqual([plan, plans[plan]]);
    }
    await people.admin().provision(people.first().workspaceId, 'enterprise');
    expect(await limits()).toEqual([null, null, null]);
  });

  // @covers HOOK-OFF
  it('has no webhooks while the memory API is off for it', async () => {
    const agent_id = `agn_${'b'.repeat(32)}`;
    await owner('POST', '/v1/agents', { agent_id });
    const list = () => people.service().call('GET', '/v1/webhooks', undefined, { 'x-service-agent': agent_id });
    expect((await list()).status).toBe(200);
    await people.admin().provision(people.first().workspaceId, 'enterprise', false);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(code(await list())).toEqual([404, 'feature_not_enabled']);
    await people.admin().provision(people.first().workspaceId, 'enterprise');
  });

  // @covers ERR-checkpoint_not_found ERR-tile_not_found
  it('says what the public log does not have', async () => {
    const service = await startService();
    const get = async (path: string) => code(await service.call('GET', path));
    try {
      expect(await get('/v1/ledger/tile/0/999')).toEqual([404, 'tile_not_found']);
      // As before the first round of anchoring, which a service begins with.
      await service.app.database.transaction((tx) => tx.query('delete from checkpoints'));
      expect(await get('/v1/ledger/checkpoint')).toEqual([404, 'checkpoint_not_found']);
    } finally {
      await service.stop();
    }
  });

  // @covers VERSION-PREFIX
  it('has its routes under /v1/ and nowhere else', async () => {
    expect(routes.filter(({ path }) => !path.startsWith('/v1/'))).toEqual([]);
    for (const { method, path } of routes) {
      const bare = path.replace('/v1/', '/').replace(/:\w+/g, 'x');
      const reply = await owner(method, bare);
      // A page for people may have the same name. It is HTML, in its refusals too.
      const isPage = pages.some((page) => new RegExp(`^${page.path.replace(/:\w+/g, '[^/]+')}$`).test(bare));
      if (isPage) expect(reply.text).toMatch(/^<!doctype html>/);
      else expect([method, path, ...code(reply)]).toEqual([method, path, 404, 'route_not_found']);
    }
  });

  // @covers VERSION-OPENAPI
  it('serves its description to anybody', async () => {
    const response = await fetch(`${people.service().app.server.listeningOrigin}/developers/openapi.yaml`);
    expect(response.status).toBe(200);
    const { openapi, paths } = parse(await response.text());
    expect(openapi).toMatch(/^3\.1\./);
    expect(Object.keys(paths)).toContain('/v1/memories/{memory_id}');
  });
});
