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
});
