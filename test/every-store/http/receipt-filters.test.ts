import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { code, usePeople } from '../../http/people.js';
import { taskReceipt } from '../../http/task-receipt.js';
import { stores } from '../../support/stores.js';

interface Listed {
  readonly kind: string;
  readonly seq: number;
  readonly actor: { readonly id: string | null };
}

/** The filters of lists of receipts, and the tail. The same on every store. */
describe.each(stores)('lists of receipts on %s', () => {
  const people = usePeople();
  const keys: Record<string, { id: string; key: string; namespaceId: string }> = {};
  const list = async (query: string, by = 'owner'): Promise<Listed[]> => {
    const { status, json } = await listed(query, by);
    expect([query, status]).toEqual([query, 200]);
    return json.data;
  };
  const listed = (query: string, by = 'owner') => {
    const path = `/v1/receipts?limit=100&${query}`;
    const key = keys[by];
    return key ? people.withKey(key.key, 'GET', path) : people.as(by).call('GET', path);
  };
  const kindsOf = (receipts: readonly Listed[]) => receipts.map(({ kind }) => kind);
  const as = (by: string, method: string, path: string, body?: unknown) =>
    people.withKey(keys[by]?.key ?? '', method, path, body);
  const written = async (by: string, content: string): Promise<string> => {
    const { json } = await as(by, 'POST', '/v1/memories', { content, namespace: keys[by]?.namespaceId });
    return json.memory_id;
  };

  beforeAll(async () => {
    for (const name of ['north', 'south']) {
      const namespaceId = await people.namespaceNamed(name);
      const { key_id: id, key } = await people.newKey({ name, namespace_ids: [namespaceId] });
      keys[name] = { id, key, namespaceId };
    }
  });

  // @covers RECEIPTS-OF-MEMORY
  it('list the receipts about a memory, also after its deletion', async () => {
    const [one, other] = [await written('north', 'a heron at the pond'), await written('north', 'a second heron')];
    await as('north', 'POST', `/v1/memories/${one}/invalidate`, { reason: 'it was an egret', superseded_by: other });
    await as('north', 'POST', `/v1/memories/${one}/reinstate`);
    await as('north', 'POST', '/v1/memories/search', { query: 'heron' });
    expect((await as('north', 'DELETE', `/v1/memories/${one}`)).status).toBe(200);
    const history = ['memory.delete', 'memory.reinstated', 'memory.invalidated', 'memory.write'];
    for (const by of ['owner', 'reader', 'north']) {
      expect([by, kindsOf(await list(`memory_id=${one}`, by))]).toEqual([by, history]);
    }
    expect(kindsOf(await list(`memory_id=${one.toUpperCase()}&kind=memory.delete,memory.write`))).toEqual([
      'memory.delete',
      'memory.write',
    ]);
    expect(kindsOf(await list(`memory_id=${one}&after=0&kind=memory.*`))).toEqual(history.toReversed());
    expect(await list(`memory_id=${one}`, 'south')).toEqual([]);
    expect(await list(`memory_id=${one}&status=success`)).toEqual([]);
    expect(await list(`memory_id=${randomUUID()}`)).toEqual([]);
  });

  // @covers RECEIPTS-OF-NAMESPACE
  it('list what concerns a namespace, of a moved memory the new one, and also a deleted one', async () => {
    const old = await people.namespaceNamed('attic');
    const owner = people.as('owner');
    const content = { content: 'a box of letters', namespace: old };
    const memoryId = (await owner.call('POST', '/v1/memories', content)).json.memory_id;
    await owner.call('POST', '/v1/memories/search', {
      query: 'letters',
      namespace_ids: [old, keys.south?.namespaceId],
    });
    expect(kindsOf(await list(`namespace_id=${old}`))).toEqual(['memory.recall', 'memory.write', 'namespace.created']);
    const to = keys.south?.namespaceId;
    expect((await owner.call('DELETE', `/v1/namespaces/${old}?move_to=${to}`)).status).toBe(200);
    const left = ['namespace.deleted', 'memory.recall', 'namespace.created'];
    expect(kindsOf(await list(`namespace_id=${old}`))).toEqual(left);
    expect(kindsOf(await list(`namespace_id=${to}&memory_id=${memoryId}`, 'south'))).toEqual([
      'memory.moved',
      'memory.write',
    ]);
    expect(kindsOf(await list(`namespace_id=${old}&after=0&kind=namespace.*,memory.recall`))).toEqual(
      left.toReversed(),
    );
    expect(code(await listed(`namespace_id=${old}`, 'south'))).toEqual([403, 'namespace_out_of_scope']);
    expect(code(await listed(`namespace_id=${keys.north?.namespaceId}`, 'south'))).toEqual([
      403,
      'namespace_out_of_scope',
    ]);
    const foreign = await people.admin().workspace();
    const [theirs] = (await people.withKey(foreign.key, 'GET', '/v1/namespaces')).json.data;
    for (const id of [randomUUID(), theirs.id]) {
      expect(code(await listed(`namespace_id=${id}`))).toEqual([404, 'namespace_not_found']);
    }
  });

  // @covers RECEIPTS-OF-ACTOR RECEIPTS-OF-KINDS
  it('list what a key or a person did, and several kinds', async () => {
    await as('south', 'POST', '/v1/receipts', taskReceipt({ receipt_id: 'of the south' }));
    await written('south', 'a gull on the mast');
    const id = keys.south?.id ?? '';
    const own = await list(`actor=${id}`);
    expect(new Set(own.map(({ actor }) => actor.id))).toEqual(new Set([id]));
    expect(kindsOf(own)).toEqual(expect.arrayContaining(['task', 'memory.write']));
    expect(kindsOf(await list(`actor=${id.toUpperCase()}&status=success`))).toEqual(['task']);
    expect(await list(`actor=${keys.north?.id}&status=success`)).toEqual([]);
    const owner = (await people.as('owner').call('GET', '/v1/session')).json.user.id;
    const governance = await list(`actor=${owner}&kind=key.*,namespace.created`);
    expect(new Set(kindsOf(governance))).toEqual(new Set(['key.created', 'namespace.created']));
    expect(governance.map(({ seq }) => seq)).toEqual(governance.map(({ seq }) => seq).toSorted((a, b) => b - a));
    // A key that does not reach the whole workspace sees nothing of its governance.
    expect(await list('kind=key.*,namespace.created', 'south')).toEqual([]);
    expect(kindsOf(await list('kind=task,task,task&session=none'))).toEqual([]);
    expect(await list('actor=no-one')).toEqual([]);
  });

  // @covers RECEIPTS-TAIL
  it('follow what is recorded while others write, with each filter, without a gap', async () => {
    const start = (await list(''))[0]?.seq ?? 0;
    const seen = new Map<string, number[]>([
      ['owner', []],
      ['north', []],
    ]);
    const at = new Map<string, number>([...seen.keys()].map((by) => [by, start]));
    const look = async (by: string) => {
      const path = `/v1/receipts?limit=3&kind=memory.*&after=${at.get(by)}`;
      const { json } = by === 'owner' ? await people.as(by).call('GET', path) : await as(by, 'GET', path);
      expect(json.next_cursor).toBeNull();
      seen.get(by)?.push(...json.data.map(({ seq }: Listed) => seq));
      at.set(by, json.next_after);
      return json.data.length;
    };
    let writing = true;
    const writers = ['north', 'south'].map(async (by) => {
      for (let n = 0; n < 12; n += 1) await written(by, `wave ${n} of the ${by}`);
    });
    const following = ['owner', 'north'].map(async (by) => {
      while (writing) await look(by);
      while ((await look(by)) > 0);
    });
    await Promise.all(writers);
    writing = false;
    await Promise.all(following);
    const all = (await list('kind=memory.*')).filter(({ seq }) => seq > start).toReversed();
    expect(seen.get('owner')).toEqual(all.map(({ seq }) => seq));
    const ofNorth = all.filter(({ actor }) => actor.id === keys.north?.id);
    expect(ofNorth).toHaveLength(12);
    expect(seen.get('north')).toEqual(ofNorth.map(({ seq }) => seq));
    // An empty page leads on as well, so that no one looks at the same entries again.
    const end = (await listed('after=0&kind=memory.promoted')).json;
    expect(end).toEqual({ data: [], next_cursor: null, next_after: (await list(''))[0]?.seq });
  });

  // @covers RECEIPTS-TAIL RECEIPTS-CURSORS
  it('refuse what cannot be meant', async () => {
    for (const [query, name] of [
      ['kind=memory.wrote', 'kind'],
      ['kind=memory.write,', 'kind'],
      ['kind=', 'kind'],
      ['kind=*', 'kind'],
      ['kind=memory.write.*', 'kind'],
      ['kind=nothing.*', 'kind'],
      ['kind=mem*', 'kind'],
      ['memory_id=1', 'memory_id'],
      ['namespace_id=north', 'namespace_id'],
      ['actor=', 'actor'],
      ['actor=%00', 'actor'],
      ['after=-1', 'after'],
      ['after=first', 'after'],
      ['after=999999999999999', 'after'],
      ['after=0&until=2026-01-01T00:00:00Z', 'after'],
      ['after=0&cursor=x', 'after'],
    ] as const) {
      const reply = await listed(query);
      expect([query, ...code(reply)]).toEqual([query, 400, 'invalid_request']);
      expect(reply.json.error.message.startsWith(name)).toBe(true);
    }
    const first = (await people.as('owner').call('GET', '/v1/receipts?limit=1&kind=memory.*')).json;
    const next = (filters: string) =>
      people.as('owner').call('GET', `/v1/receipts?limit=1&${filters}cursor=${first.next_cursor}`);
    expect((await next('kind=memory.*&')).status).toBe(200);
    const others = ['', 'kind=memory.write&', `kind=memory.*&actor=${randomUUID()}&`];
    for (const filters of [...others, `kind=memory.*&namespace_id=${keys.north?.namespaceId}&`]) {
      expect(code(await next(filters))).toEqual([400, 'invalid_cursor']);
    }
  });
});
