import { beforeAll, describe, expect, it } from 'vitest';
import { code, usePeople } from '../../../http/people.js';
import { stores } from '../../../support/stores.js';

type Listed = { id: string; excerpt: string; created_at: string };

const hour = 3_600_000;

/** Lists by time, by being invalidated and by being test memories. The same on every store. */
describe.each(stores)('lists by times and marks on %s', () => {
  const people = usePeople();
  const list = (query: string) => people.service().call('GET', `/v1/memories?${query}`);
  const texts = async (query: string) => (await list(query)).json.data.map(({ excerpt }: Listed) => excerpt);
  const at: Record<string, string> = {};
  const byMs = (name: string, ms: number) => new Date(Date.parse(at[name] ?? '') + ms).toISOString();
  beforeAll(async () => {
    const written = [
      { content: 'one gull', source: 'a' },
      { content: 'two gulls', metadata: { n: 1 } },
      { content: 'three gulls', source: 'a', playground: true },
      { content: 'four gulls', source: 'a', metadata: { n: 1 } },
    ];
    for (const [hours, memory] of written.entries()) {
      people.ahead(hours * hour);
      const { memory_id } = (await people.service().call('POST', '/v1/memories', memory)).json;
      if (hours === 1)
        await people.service().call('POST', `/v1/memories/${memory_id}/invalidate`, { reason: 'It was three.' });
      const { created_at } = (await people.service().call('GET', `/v1/memories/${memory_id}`)).json;
      at[memory.content.split(' ')[0] ?? ''] = created_at;
    }
    await people.settled();
  });

  // @covers LIST-TIMES
  it('lists what was written between two moments, without these', async () => {
    expect(await texts(`created_after=${at.one}`)).toEqual(['four gulls', 'two gulls']);
    expect(await texts(`created_after=${byMs('one', -1)}`)).toEqual(['four gulls', 'two gulls', 'one gull']);
    expect(await texts(`created_before=${at.two}`)).toEqual(['one gull']);
    expect(await texts(`created_before=${byMs('two', 1)}`)).toEqual(['two gulls', 'one gull']);
    expect(await texts(`created_after=${at.one}&created_before=${at.four}&include_playground=true`)).toEqual([
      'three gulls',
      'two gulls',
    ]);
    expect(await texts(`created_after=${at.four}`)).toEqual([]);
    expect(await texts(`created_after=${at.four}&created_before=${at.one}`)).toEqual([]);
    expect(await texts('created_before=0001-01-01T00:00:00Z')).toEqual([]);
    expect(await texts('created_after=9999-12-31T23:59:59Z')).toEqual([]);
    const local = encodeURIComponent((at.two ?? '').replace('Z', '+00:00').toLowerCase());
    expect(await texts(`created_before=${local}`)).toEqual(['one gull']);
  });

  // @covers LIST-TIMES LIST-TOTAL
  it('narrows lists by other fields and by words too, and counts', async () => {
    expect(await texts(`source=a&created_after=${at.one}`)).toEqual(['four gulls']);
    expect(await texts(`metadata[n]=1&created_before=${at.four}`)).toEqual(['two gulls']);
    expect(await texts(`q=gull&created_before=${at.two}`)).toEqual(['one gull']);
    expect((await list(`q=gull&created_after=${at.one}&include=total`)).json.total).toEqual({
      value: 2,
      relation: 'eq',
    });
    expect((await list(`created_after=${at.one}&include=total&limit=1`)).json.total).toEqual({
      value: 2,
      relation: 'eq',
    });
  });

  // @covers LIST-INVALIDATED
  it('lists those that are not valid any more, or those that are', async () => {
    expect(await texts('invalidated=only')).toEqual(['two gulls']);
    expect(await texts('invalidated=without')).toEqual(['four gulls', 'one gull']);
    expect(await texts('q=gull&invalidated=only')).toEqual(['two gulls']);
    expect(await texts('q=gull&invalidated=without')).toEqual(['four gulls', 'one gull']);
    const [{ id }] = (await list('invalidated=only')).json.data;
    await people.service().call('POST', `/v1/memories/${id}/reinstate`, {});
    expect([await texts('invalidated=only'), await texts('q=gull&invalidated=only')]).toEqual([[], []]);
    expect(await texts('q=gull&invalidated=without')).toHaveLength(3);
    await people.service().call('POST', `/v1/memories/${id}/invalidate`, { reason: 'It was three.' });
  });

  // @covers LIST-PLAYGROUND
  it('lists test memories alone until they are promoted', async () => {
    for (const query of ['playground=only', 'playground=only&include_playground=false', 'playground=only&q=gull']) {
      expect([query, await texts(query)]).toEqual([query, ['three gulls']]);
    }
    const body = { content: 'a wren', playground: true };
    await people.service().call('POST', '/v1/memories', body);
    await people.settled();
    expect(await texts('playground=only')).toEqual(['a wren', 'three gulls']);
    await people.service().call('POST', '/v1/memories', { content: 'a wren' });
    expect(await texts('playground=only')).toEqual(['three gulls']);
    expect(await texts('q=wren')).toEqual(['a wren']);
  });

  // @covers LIST-CURSOR-BOUND
  it('binds cursors to these filters', async () => {
    const query = `created_after=${byMs('one', -1)}&invalidated=without&limit=1`;
    const { next_cursor: cursor } = (await list(query)).json;
    expect(await texts(`${query}&cursor=${cursor}`)).toHaveLength(1);
    for (const other of [
      'limit=1',
      `created_after=${at.one}&invalidated=without&limit=1`,
      `created_after=${byMs('one', -1)}&limit=1`,
      `${query}&playground=only`,
    ]) {
      expect(code(await list(`${other}&cursor=${cursor}`))).toEqual([400, 'invalid_cursor']);
    }
  });

  it('refuses what is no moment and no such word', async () => {
    for (const query of [
      'created_after=yesterday',
      'created_after=',
      'created_before=2026-02-30T00:00:00Z',
      `created_after=${at.one}&created_after=${at.two}`,
      'invalidated=true',
      'invalidated=',
      'playground=true',
      'playground=only&playground=only',
    ]) {
      expect([query, ...code(await list(query))]).toEqual([query, 400, 'invalid_request']);
    }
    const { key: foreign } = await people.admin().workspace();
    for (const query of ['playground=only', 'invalidated=only', `created_after=${byMs('one', -1)}`]) {
      expect((await people.withKey(foreign, 'GET', `/v1/memories?${query}`)).json.data).toEqual([]);
    }
  });
});
