import { describe, expect, it } from 'vitest';
import { usePeople } from '../../http/people.js';
import { stores } from '../../support/stores.js';

/** Everything that an invalidation names may be in a namespace that the reader may not read. The same on every store. */
describe.each(stores)('a memory that is valid instead, on %s', () => {
  const people = usePeople();
  const asOwner = async (method: string, path: string, body?: object) =>
    (await people.as('owner').call(method, path, body)).json;

  // @covers INVALID-SHOWN-REACH
  it('is named to those who may read its namespace, in memories, lists, exports and searches', async () => {
    const { id: namespace } = await asOwner('POST', '/v1/namespaces', { name: 'sealed' });
    const add = async (content: string, to: string) =>
      (await asOwner('POST', '/v1/memories', { content, namespace: to })).memory_id;
    const [old, valid] = [
      await add('The gate code is 4711.', 'default'),
      await add('The gate code is 4712.', 'sealed'),
    ];
    await people.service().settled();
    await asOwner('POST', `/v1/memories/${old}/invalidate`, { reason: 'It was changed.', superseded_by: valid });
    const { data } = await asOwner('GET', '/v1/namespaces');
    const { id: open } = data.find(({ name }: { name: string }) => name === 'default');
    const { key } = await asOwner('POST', '/v1/keys', { name: 'open only', namespace_ids: [open] });
    const narrow = async (method: string, path: string, body?: object) =>
      (await people.withKey(key, method, path, body)).json;
    const query = { query: 'gate code', filters: { include_invalidated: true } };
    for (const [ask, named] of [
      [narrow, null],
      [asOwner, valid],
    ] as const) {
      const one = await ask('GET', `/v1/memories/${old}`);
      expect(one.invalidated).toMatchObject({ reason: 'It was changed.', superseded_by: named });
      for (const list of ['/v1/memories', '/v1/memories/export']) {
        const rows = (await ask('GET', list)).data;
        expect(rows.find(({ id }: { id: string }) => id === old).invalidated.superseded_by).toBe(named);
      }
      const hits = (await ask('POST', '/v1/memories/search', query)).data;
      const hit = hits.find(({ memory_id }: { memory_id: string }) => memory_id === old);
      expect(hit.invalidated.superseded_by).toBe(named);
      expect(JSON.stringify(hit).includes(valid)).toBe(named !== null);
    }
    expect(namespace).not.toBe(open);
  });

  // @covers SEARCH-LEFT-OUT
  it('leaves the invalidated ones out of searches, which say how many match', async () => {
    const { id } = await asOwner('POST', '/v1/namespaces', { name: 'berths' });
    const text = 'The cutter lies at berth';
    const added: string[] = [];
    for (const berth of ['Alder', 'Birch', 'Cedar']) {
      const body = { content: `${text} ${berth}.`, namespace: 'berths', source: berth };
      added.push((await asOwner('POST', '/v1/memories', body)).memory_id);
    }
    await people.service().settled();
    const leftOut = async (query: string, more: object = {}) =>
      (await asOwner('POST', '/v1/memories/search', { query, namespace_ids: [id], ...more })).left_out;
    expect(await leftOut('cutter berth')).toEqual({ budget: 0, invalidated: 0 });
    for (const one of added.slice(0, 2))
      await asOwner('POST', `/v1/memories/${one}/invalidate`, { reason: 'It moved.' });
    expect(await leftOut('cutter berth')).toEqual({ budget: 0, invalidated: 2 });
    // No valid memory has this word.
    expect(await leftOut('Birch')).toEqual({ budget: 0, invalidated: 1 });
    expect(await leftOut('lighthouse')).toEqual({ budget: 0, invalidated: 0 });
    expect(await leftOut('cutter berth', { filters: { source: 'Alder' } })).toEqual({ budget: 0, invalidated: 1 });
    expect(await leftOut('cutter berth', { filters: { include_invalidated: true } })).toEqual({
      budget: 0,
      invalidated: 0,
    });
    const { data } = await asOwner('GET', '/v1/namespaces');
    const others = data.map((one: { id: string }) => one.id).filter((one: string) => one !== id);
    expect(await leftOut('cutter berth', { namespace_ids: others })).toEqual({ budget: 0, invalidated: 0 });
  });

  // @covers SEARCH-LEFT-OUT
  it('says how many hits had no room in the budget', async () => {
    for (const n of [1, 2, 3, 4])
      await asOwner('POST', '/v1/memories', {
        content: `The dredger log, part ${n}. ${'It dug all day. '.repeat(20)}`,
      });
    await people.service().settled();
    const search = { query: 'dredger log part', token_budget: 300 };
    const found = await asOwner('POST', '/v1/memories/search', search);
    expect([found.data.length, found.left_out]).toEqual([2, { budget: 2, invalidated: 0 }]);
    const few = await asOwner('POST', '/v1/memories/search', { ...search, k: 2 });
    expect(few.left_out.budget).toBe(0);
  });
});
