import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workspaceOperations as routes } from '../../../src/api/operations.js';
import { takesKeys } from '../../../src/domain/caller.js';
import { administration } from '../../http/keys.js';
import { type Service, startService } from '../../http/service.js';
import { stores } from '../../support/stores.js';

/** Rights of callers: scopes, bindings, other workspaces. The same on every store. */
describe.each(stores)('access on %s', () => {
  let service: Service;
  let first: { workspaceId: string; namespaceId: string };
  let secondNamespace: string;
  let third: string;
  const keys: Record<string, string> = {};
  beforeAll(async () => {
    service = await startService();
    const admin = administration(service);
    first = await admin.first();
    secondNamespace = await admin.namespace(first.workspaceId, 'second');
    const { workspaceId, namespaceId } = first;
    keys.reader = await admin.key(workspaceId, { scopes: ['memory.read'], namespaceIds: [namespaceId] });
    keys.writer = await admin.key(workspaceId, {
      scopes: ['memory.write'],
      namespaceIds: [namespaceId],
      agentId: 'ada',
    });
    keys.second = await admin.key(workspaceId, { namespaceIds: [secondNamespace], userId: 'u-1' });
    third = await admin.namespace(first.workspaceId, 'third');
    keys.third = await admin.key(workspaceId, { scopes: ['memory.read'], namespaceIds: [third, secondNamespace] });
    keys.thirdWriter = await admin.key(workspaceId, { namespaceIds: [third] });
    keys.unbound = await admin.key(workspaceId, { namespaceIds: [] });
    keys.unboundReader = await admin.key(workspaceId, { scopes: ['memory.read'], namespaceIds: [] });
    keys.unboundWriter = await admin.key(workspaceId, { scopes: ['memory.write'], namespaceIds: [] });
    keys.both = await admin.key(workspaceId, { namespaceIds: [namespaceId, secondNamespace] });
    keys.all = await admin.key(workspaceId, { namespaceIds: [namespaceId, secondNamespace, third] });
    keys.foreign = (await admin.workspace()).key;
  });
  afterAll(() => service.stop());

  const as = (key: string, method: string, path: string, body?: unknown) =>
    service.call(method, path, body, { authorization: `Bearer ${keys[key]}` });
  /** The id of a new memory, which is ready. */
  const ready = async (key: string, content: string, namespace: string): Promise<string> => {
    const headers = { authorization: `Bearer ${keys[key]}`, prefer: 'wait=10' };
    return (await service.call('POST', '/v1/memories', { content, namespace }, headers)).json.memory_id;
  };
  const code = async (reply: ReturnType<typeof as>) => {
    const { status, json } = await reply;
    return [status, json?.error?.code ?? null];
  };

  // @covers AUTH-SCOPE-READ AUTH-SCOPE-EXPORT ERR-insufficient_scope
  it('allows a key with memory.read read and not write', async () => {
    const { json } = await service.call('POST', '/v1/memories', { content: 'for readers' });
    expect(await code(as('reader', 'GET', `/v1/memories/${json.memory_id}`))).toEqual([200, null]);
    expect(await code(as('reader', 'POST', '/v1/memories/search', { query: 'readers' }))).toEqual([200, null]);
    expect(await code(as('reader', 'POST', '/v1/memories', { content: 'no' }))).toEqual([403, 'insufficient_scope']);
    expect(await code(as('reader', 'DELETE', `/v1/memories/${json.memory_id}`))).toEqual([403, 'insufficient_scope']);
    expect(await code(as('reader', 'GET', '/v1/memories/export'))).toEqual([403, 'insufficient_scope']);
  });

  // @covers MEM-PROVENANCE-FIELDS MEM-PROVENANCE-AGENT MEM-PROVENANCE-APP EXPORT-WHO AUTH-SCOPE-WRITE
  // @covers AUTH-SCOPE-EXPORT
  it('allows a key with memory.write do both, but not export, and writes its provenance', async () => {
    const { json } = await as('writer', 'POST', '/v1/memories', { content: 'by an agent' });
    const got = await as('writer', 'GET', `/v1/memories/${json.memory_id}`);
    expect(got.json.provenance).toEqual({ user_id: null, agent_id: 'ada', app_id: 'test key', run_id: null });
    expect(await code(as('writer', 'GET', '/v1/memories/export'))).toEqual([403, 'insufficient_scope']);
    const receipts = await as('writer', 'GET', '/v1/receipts?limit=100');
    const kinds = new Set(receipts.json.data.map((receipt: { kind: string }) => receipt.kind));
    // What a narrowed key has no business with: keys, members, settings.
    expect([...kinds].filter((kind) => !String(kind).startsWith('memory.'))).toEqual([]);
  });

  // @covers SEARCH-SCOPE AUTH-KEY-BOUND ERR-memory_out_of_scope ERR-job_out_of_scope
  it('keeps a key inside the namespaces it is bound to', async () => {
    const mine = await as('second', 'POST', '/v1/memories', { content: 'in the second', namespace: 'second' });
    expect(mine.status).toBe(202);
    const theirs = await service.call('POST', '/v1/memories', { content: 'in the first' });
    await service.settled();
    const id = theirs.json.memory_id;
    expect(await code(as('second', 'GET', `/v1/memories/${id}`))).toEqual([403, 'memory_out_of_scope']);
    expect(await code(as('second', 'DELETE', `/v1/memories/${id}`))).toEqual([403, 'memory_out_of_scope']);
    expect(await code(as('second', 'GET', `/v1/ingest/${theirs.json.job_id}`))).toEqual([403, 'job_out_of_scope']);
    expect(await code(as('second', 'POST', `/v1/ingest/${theirs.json.job_id}/retry`))).toEqual([
      403,
      'job_out_of_scope',
    ]);
    // The default namespace is not among those it is bound to.
    expect(await code(as('second', 'POST', '/v1/memories', { content: 'x' }))).toEqual([403, 'namespace_out_of_scope']);
    const asked = { query: 'first', namespace_ids: [first.namespaceId] };
    expect(await code(as('second', 'POST', '/v1/memories/search', asked))).toEqual([403, 'namespace_out_of_scope']);
    const list = await as('second', 'GET', '/v1/memories');
    expect(list.json.data.map((memory: { id: string }) => memory.id)).toEqual([mine.json.memory_id]);
    const found = await as('second', 'POST', '/v1/memories/search', { query: 'in the first second' });
    expect(found.json.data.map((hit: { memory_id: string }) => hit.memory_id)).toEqual([mine.json.memory_id]);
    const receipt = await service.call('GET', `/v1/memories/${id}`);
    expect(await code(as('second', 'GET', `/v1/receipts/${receipt.json.receipt_id}`))).toEqual([
      403,
      'namespace_out_of_scope',
    ]);
  });

  // @covers RECEIPTS-GOVERNANCE
  it('shows what is about the whole workspace only to keys that reach all of it', async () => {
    // Made by a person and bound to the first namespace: its receipt names the key, and would have concerned that namespace alone.
    const receipts = async (key: string) => (await as(key, 'GET', '/v1/receipts?limit=100')).json.data;
    const seen = async (key: string) => new Set((await receipts(key)).map((one: { kind: string }) => one.kind));
    const made = (await receipts('all')).find((one: { kind: string }) => one.kind === 'key.created');
    expect([...(await seen('all'))]).toEqual(
      expect.arrayContaining(['namespace.created', 'member.added', 'key.created']),
    );
    for (const key of ['both', 'second', 'writer', 'reader']) {
      const kinds = [...(await seen(key))].filter((kind) => !String(kind).startsWith('memory.'));
      expect([key, kinds]).toEqual([key, []]);
      expect((await as(key, 'GET', '/v1/receipts?kind=key.created')).json.data).toEqual([]);
      for (const path of ['', '/proof', '/trace']) {
        const refused = await code(as(key, 'GET', `/v1/receipts/${made.receipt_id}${path}`));
        expect([key, path, ...refused]).toEqual([key, path, 403, 'namespace_out_of_scope']);
      }
    }
    expect(await code(as('all', 'GET', `/v1/receipts/${made.receipt_id}/proof`))).toEqual([200, null]);
  });

  // @covers SEARCH-SCOPE SEARCH-NAMESPACES
  it('searches every namespace of a key at once, each by its own words', async () => {
    await as('both', 'POST', '/v1/memories', { content: 'Otters were running along the river', namespace: 'second' });
    await as('both', 'POST', '/v1/memories', { content: 'Otters run along the river here' });
    await service.settled();
    const found = await as('both', 'POST', '/v1/memories/search', { query: 'otters running' });
    const namespaces = found.json.data.map((hit: { namespace_id: string }) => hit.namespace_id);
    expect(new Set(namespaces)).toEqual(new Set([first.namespaceId, secondNamespace]));
    const narrowed = { query: 'otters running', namespace_ids: [secondNamespace] };
    const one = await as('both', 'POST', '/v1/memories/search', narrowed);
    expect(new Set(one.json.data.map((hit: { namespace_id: string }) => hit.namespace_id))).toEqual(
      new Set([secondNamespace]),
    );
  });

  // @covers RECALLS-SHOWN RECALLS-SCOPE
  it('shows of the recalls of a memory those whose namespaces the caller reaches, and nothing of their queries', async () => {
    const id = await ready('both', 'A walrus sleeps here', 'second');
    const search = async (key: string) => (await as(key, 'POST', '/v1/memories/search', { query: 'walrus' })).json;
    const [wide, narrow] = [await search('both'), await search('second')];
    const recalls = async (key: string, query = '') =>
      (await as(key, 'GET', `/v1/memories/${id}/recalls${query}`)).json;
    const all = await recalls('both');
    expect(all.data).toMatchObject([
      { receipt_id: narrow.receipt_id, receipt_hash: narrow.receipt_hash, namespace_ids: [secondNamespace] },
      { receipt_id: wide.receipt_id, rank: 1, results: wide.data.length, mode: 'fused', actor: { type: 'key' } },
    ]);
    expect(JSON.stringify(all)).not.toMatch(/walrus/i);
    const receipts = (await as('both', 'GET', '/v1/receipts?kind=memory.recall&limit=1')).json;
    expect(receipts.data[0].id).toBe(narrow.receipt_id);
    expect((await recalls('second')).data.map((one: { receipt_id: string }) => one.receipt_id)).toEqual([
      narrow.receipt_id,
    ]);
    const page = await recalls('both', '?limit=1');
    expect(page.data).toEqual(all.data.slice(0, 1));
    const rest = await recalls('both', `?limit=1&cursor=${page.next_cursor}`);
    expect(rest).toEqual({ data: all.data.slice(1), next_cursor: null });
    for (const [key, path, status, expected] of [
      ['reader', `${id}/recalls`, 403, 'memory_out_of_scope'],
      ['foreign', `${id}/recalls`, 404, 'memory_not_found'],
      ['both', 'x/recalls', 404, 'memory_not_found'],
      ['both', `${first.namespaceId}/recalls?cursor=${page.next_cursor}`, 404, 'memory_not_found'],
      ['both', `${id}/recalls?cursor=x${page.next_cursor}`, 400, 'invalid_cursor'],
    ] as const)
      expect([path, ...(await code(as(key, 'GET', `/v1/memories/${path}`)))]).toEqual([path, status, expected]);
    await as('both', 'DELETE', `/v1/memories/${id}`);
    expect(await code(as('both', 'GET', `/v1/memories/${id}/recalls`))).toEqual([404, 'memory_not_found']);
  });

  // @covers UNUSED-ORDER UNUSED-TOTAL UNUSED-SCOPE
  it('shows the memories of a namespace that no search uses, to those who reach it', async () => {
    const add = (content: string) => ready('thirdWriter', content, 'third');
    const [puffin, lynx, bison] = [await add('a puffin'), await add('a lynx'), await add('a bison')];
    await as('third', 'POST', '/v1/memories/search', { query: 'lynx', k: 1 });
    const list = async (query = '') =>
      (await as('third', 'GET', `/v1/memories/unused?namespace_id=${third}${query}`)).json;
    const never = await list('&include=total');
    expect(never).toMatchObject({ total: { value: 2, relation: 'eq' }, next_cursor: null });
    expect(never.data).toMatchObject([
      { id: puffin, excerpt: 'a puffin', status: 'ready', last_recalled_on: null },
      { id: bison, last_recalled_on: null },
    ]);
    const ids = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
    expect(ids(await list('&since=1999-12-31'))).toEqual([puffin, bison]);
    const pages = [await list('&since=9999-12-31&limit=2')];
    pages.push(await list(`&since=9999-12-31&limit=2&cursor=${pages[0].next_cursor}`));
    expect(pages.flatMap(ids)).toEqual([puffin, bison, lynx]);
    expect(pages[1].data[0].last_recalled_on).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(pages[1].next_cursor).toBeNull();
    for (const [key, query, status, expected] of [
      ['second', `namespace_id=${third}`, 403, 'namespace_out_of_scope'],
      ['foreign', `namespace_id=${third}`, 403, 'namespace_out_of_scope'],
      ['third', 'namespace_id=third', 400, 'invalid_namespace_ids'],
      ['third', 'limit=1', 400, 'invalid_namespace_ids'],
      ['third', `namespace_id=${third}&since=0000-01-01`, 400, 'invalid_request'],
      ['third', `namespace_id=${third}&since=2026-02-30`, 400, 'invalid_request'],
      ['third', `namespace_id=${third}&cursor=${pages[0].next_cursor}`, 400, 'invalid_cursor'],
    ] as const)
      expect([query, ...(await code(as(key, 'GET', `/v1/memories/unused?${query}`)))]).toEqual([
        query,
        status,
        expected,
      ]);
  });

  // @covers BIND-EMPTY-ALL ERR-key_has_no_namespaces
  it('denies everything to a key that is bound to nothing, on every route, no matter its scopes', async () => {
    for (const { method, path, access } of routes) {
      const url = path.replace(/:\w+/g, 'x');
      const usual = takesKeys(access) ? 'key_has_no_namespaces' : expect.stringMatching(/_required$|_forbidden$/);
      for (const key of ['unbound', 'unboundReader', 'unboundWriter']) {
        // The contract of task receipts names the scope before the binding.
        const isOfScope = access === 'submit task receipts' && key === 'unboundReader';
        const expected = isOfScope ? 'insufficient_scope' : usual;
        const body = method === 'GET' ? undefined : '{';
        const reply = await service.call(method, url, body, { authorization: `Bearer ${keys[key]}` });
        expect([method, path, key, reply.status, reply.json?.error.code]).toEqual([method, path, key, 403, expected]);
      }
    }
  });

  // @covers NS-LIST-KEY
  it('shows a key the namespaces that it is bound to, and no others', async () => {
    const listed = async (key: string) =>
      (await as(key, 'GET', '/v1/namespaces')).json.data.map(({ id }: { id: string }) => id);
    expect(await listed('second')).toEqual([secondNamespace]);
    expect((await listed('both')).sort()).toEqual([first.namespaceId, secondNamespace].sort());
  });

  // @covers JOB-LIST-SCOPE AUTH-WORKSPACES
  it('shows nothing of one workspace to another', async () => {
    const { json } = await service.call('POST', '/v1/memories', { content: 'a secret of the first workspace' });
    await service.settled();
    const { receipt_id: receiptId } = (await service.call('GET', `/v1/memories/${json.memory_id}`)).json;
    expect(await code(as('foreign', 'GET', `/v1/memories/${json.memory_id}`))).toEqual([404, 'memory_not_found']);
    expect(await code(as('foreign', 'DELETE', `/v1/memories/${json.memory_id}`))).toEqual([404, 'memory_not_found']);
    expect(await code(as('foreign', 'GET', `/v1/ingest/${json.job_id}`))).toEqual([404, 'job_not_found']);
    expect(await code(as('foreign', 'GET', `/v1/receipts/${receiptId}`))).toEqual([404, 'receipt_not_found']);
    const asked = { query: 'secret', namespace_ids: [first.namespaceId] };
    expect(await code(as('foreign', 'POST', '/v1/memories/search', asked))).toEqual([403, 'namespace_out_of_scope']);
    expect(await code(as('foreign', 'POST', '/v1/memories', { content: 'x', namespace: first.namespaceId }))).toEqual([
      404,
      'namespace_not_found',
    ]);
    for (const path of ['/v1/memories', '/v1/ingest', '/v1/memories/export'])
      expect((await as('foreign', 'GET', path)).json.data).toEqual([]);
    const same = await as('foreign', 'POST', '/v1/memories', { content: 'a secret of the first workspace' });
    expect([same.status, same.json.duplicate]).toEqual([202, false]);
  });

  // @covers AUTH-BEARER AUTH-UNSUPPORTED
  it('asks every route for a credential, before it looks at anything else', async () => {
    for (const { method, path } of routes) {
      const url = path.replace(/:\w+/g, 'x');
      for (const authorization of ['', 'Basic YTpi', 'Bearer ak_unknown', 'Bearer nonsense']) {
        const reply = await service.call(method, url, method === 'POST' ? '{' : undefined, { authorization });
        expect([method, path, authorization, reply.status, reply.json?.error.code]).toEqual([
          method,
          path,
          authorization,
          401,
          'unauthorized',
        ]);
      }
      for (const token of ['vk_x', 'agk_x']) {
        const reply = await service.call(method, url, undefined, { authorization: `Bearer ${token}` });
        expect([path, reply.status, reply.json?.error.code]).toEqual([path, 403, 'credential_not_supported']);
      }
    }
  });
});
