import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administration } from '../../../http/keys.js';
import { type Service, startService } from '../../../http/service.js';
import { stores } from '../../../support/stores.js';

const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const fields = ['id', 'namespace_id', 'content', 'content_hash', 'metadata', 'source', 'provenance', 'playground'];
const whole = [...fields, 'status', 'receipt_id', 'invalidated', 'created_at', 'updated_at'].sort();

/** The rules of memories one by one: their fields, their lists and their limits. The same on every store. */
describe.each(stores)('rules of memories on %s', () => {
  let service: Service;
  let first: { workspaceId: string; namespaceId: string };
  let second: string;
  let both: { authorization: string };
  let known: { authorization: string };
  beforeAll(async () => {
    service = await startService();
    const admin = administration(service);
    first = await admin.first();
    second = await admin.namespace(first.workspaceId, 'second');
    const namespaceIds = [first.namespaceId, second];
    both = { authorization: `Bearer ${await admin.key(first.workspaceId, { namespaceIds })}` };
    const given = { namespaceIds, userId: 'u-1', agentId: 'ada' };
    known = { authorization: `Bearer ${await admin.key(first.workspaceId, given)}` };
  });
  afterAll(() => service.stop());

  const add = (body: object, headers: Record<string, string> = both) =>
    service.call('POST', '/v1/memories', body, headers);
  const get = async (id: string) => (await service.call('GET', `/v1/memories/${id}`, undefined, both)).json;
  const list = (query: string) => service.call('GET', `/v1/memories?${query}`, undefined, both);
  const contents = async (query: string) =>
    (await list(query)).json.data.map(({ excerpt }: { excerpt: string }) => excerpt);

  // @covers MEM-FIELDS
  it('takes a source and keys and values of metadata that are longer than a key of an index may be', async () => {
    // Different characters, which do not compress: an index entry has at most 2,704 bytes.
    const long = Array.from({ length: 4000 }, (_, n) => String.fromCharCode(0x4e00 + ((n * 7919) % 20_000))).join('');
    const { status, json } = await add({ content: 'from far away', source: long, metadata: { [long]: long } });
    expect(status).toBe(202);
    expect(await get(json.memory_id)).toMatchObject({ source: long, metadata: { [long]: long } });
    const found = await service.call(
      'POST',
      '/v1/memories/search',
      { query: 'from far away', filters: { source: long, metadata: { [long]: long } } },
      both,
    );
    expect(found.status).toBe(200);
  });

  // @covers MEM-FIELDS MEM-ID-V7 MEM-SOURCE-NULL MEM-TIMES
  it('shows a memory with every field', async () => {
    const { json } = await add({ content: 'every field' });
    const memory = await get(json.memory_id);
    expect(Object.keys(memory).sort()).toEqual(whole);
    for (const id of [memory.id, memory.namespace_id, json.job_id]) expect(id).toMatch(uuid7);
    for (const time of [memory.created_at, memory.updated_at]) expect(time).toMatch(dateTime);
    expect([memory.source, memory.metadata, memory.playground]).toEqual([null, {}, false]);
    const without = await add({ content: 'source is null', source: null });
    expect((await get(without.json.memory_id)).source).toBeNull();
  });

  // @covers MEM-PROVENANCE-SERVER MEM-PROVENANCE-USER
  it('takes provenance from the caller and not from the body', async () => {
    const claimed = { provenance: { user_id: 'mallory' }, user_id: 'mallory', agent_id: 'mallory' };
    const { json } = await add({ content: 'whose is it', ...claimed }, known);
    // Whether such fields are refused or passed over, no one's word about itself is kept.
    const { provenance } = await get(json.memory_id ?? (await add({ content: 'whose is it' }, known)).json.memory_id);
    expect(provenance).toEqual({ user_id: 'u-1', agent_id: 'ada', app_id: 'test key', run_id: null });
  });

  // @covers SUM-FIELDS SUM-EXCERPT SUM-METADATA-20 SUM-METADATA-COUNT
  it('shows summaries with an excerpt and the first keys of metadata', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`key ${i}`, i]));
    const exact = `summed ${'\u{1f426}'.repeat(273)}`;
    await add({ content: exact });
    await add({ content: `${exact}x`, metadata });
    await service.settled();
    const [long, short] = (await list('q=summed')).json.data;
    const shown = whole.filter((name) => name !== 'content' && name !== 'status');
    expect(Object.keys(long).sort()).toEqual([...shown, 'excerpt', 'metadata_key_count', 'metadata_truncated'].sort());
    expect([short.excerpt, short.metadata_truncated, short.metadata_key_count]).toEqual([exact, false, 0]);
    expect(long.excerpt).toBe(`${exact}…`);
    expect(Object.keys(long.metadata)).toEqual(Object.keys(metadata).slice(0, 20));
    expect([long.metadata_key_count, long.metadata_truncated]).toEqual([25, true]);
  });

  // @covers LIST-NAMESPACES LIST-PROVENANCE LIST-PLAYGROUND ADD-PLAYGROUND
  it('lists what is requested', async () => {
    await add({ content: 'wren of the first' }, { ...known, 'x-service-run': 'run-7' });
    await add({ content: 'wren of the second', namespace: 'second' });
    await add({ content: 'wren to try with', playground: true });
    await service.settled();
    const [mine, theirs, test] = ['wren of the first', 'wren of the second', 'wren to try with'];
    expect(await contents('q=wren')).toEqual([theirs, mine]);
    expect(await contents('q=wren&include_playground=true')).toEqual([test, theirs, mine]);
    expect((await list('q=wren&include_playground=true')).json.data[0].playground).toBe(true);
    expect(await contents(`q=wren&namespace_id=${second}`)).toEqual([theirs]);
    expect(await contents(`q=wren&namespace_id=${second},${first.namespaceId}`)).toEqual([theirs, mine]);
    for (const filter of ['user_id=u-1', 'agent_id=ada', 'run_id=run-7']) {
      expect([filter, await contents(`q=wren&${filter}`)]).toEqual([filter, [mine]]);
      expect([filter, await contents(`q=wren&${filter}x`)]).toEqual([filter, []]);
    }
    expect(await contents('q=wren&app_id=test%20key')).toEqual([theirs, mine]);
    expect(await contents('q=wren&app_id=other')).toEqual([]);
  });

  // @covers LIST-Q
  it('reads q as people write to search engines', async () => {
    for (const content of ['siskin eats seeds', 'seeds eats siskin', 'linnet eats seeds']) await add({ content });
    await service.settled();
    const found = async (q: string) => (await contents(`q=${encodeURIComponent(q)}`)).sort();
    expect(await found('"siskin eats"')).toEqual(['siskin eats seeds']);
    expect(await found('siskin OR linnet')).toHaveLength(3);
    expect(await found('seeds -siskin')).toEqual(['linnet eats seeds']);
    expect(await found('siskin linnet')).toEqual([]);
  });

  // @covers LIST-PAGE-OFFSET LIST-LIMIT LIST-LIMIT-DEFAULT LIST-SORT LIST-Q-LIMIT LIST-NAMESPACES-LIMIT
  it('lists within its limits', async () => {
    const code = async (query: string) => {
      const { status, json } = await list(query);
      return json.error?.code ?? status;
    };
    await Promise.all(Array.from({ length: 27 }, (_, i) => add({ content: `one of many, ${i}` })));
    await service.settled();
    expect((await list('')).json.data).toHaveLength(25);
    expect((await list('limit=1')).json.data).toHaveLength(1);
    expect((await list('limit=100')).json.data.length).toBeGreaterThan(26);
    for (const limit of ['0', '101', '1.5', 'x']) expect(await code(`limit=${limit}`)).toBe('invalid_request');
    expect([await code('sort=newest'), await code('sort=oldest')]).toEqual([200, 'invalid_sort']);
    expect([await code(`q=${'x'.repeat(2000)}`), await code(`q=${'x'.repeat(2001)}`)]).toEqual([200, 'invalid_query']);
    expect([await code('limit=100&page=100'), await code('limit=100&page=102')]).toEqual([
      200,
      'use_cursor_pagination',
    ]);
    const ids = (count: number) => `namespace_id=${Array(count).fill(second).join(',')}`;
    expect([await code(ids(100)), await code(ids(101))]).toEqual([200, 'invalid_namespace_ids']);
  });

  // @covers ADD-DUPLICATE-NAMESPACE ADD-NAMESPACE ADD-NAMESPACE-DEFAULT
  it('keeps namespaces apart, by id and by name', async () => {
    const content = 'in more than one namespace';
    const here = await add({ content });
    const byName = await add({ content, namespace: 'second' });
    expect([byName.status, byName.json.duplicate]).toEqual([202, false]);
    const byId = await add({ content, namespace: second });
    expect([byId.status, byId.json.memory_id]).toEqual([200, byName.json.memory_id]);
    expect((await get(here.json.memory_id)).namespace_id).toBe(first.namespaceId);
    expect((await get(byName.json.memory_id)).namespace_id).toBe(second);
  });

  // @covers LIMIT-CONTENT LIMIT-CONTENT-DETAILS LIMIT-METADATA LIMIT-METADATA-DETAILS
  it('takes as much as it may, and says what is too much', async () => {
    const bytes = 1_048_576;
    expect((await add({ content: 'é'.repeat(bytes / 2) })).status).toBe(202);
    const large = await add({ content: `${'é'.repeat(bytes / 2)}x` });
    expect(large.json.error).toMatchObject({
      code: 'content_too_large',
      details: { limit_bytes: bytes, size_bytes: bytes + 1 },
    });
    const frame = JSON.stringify({ a: '' }).length;
    const metadata = (size: number) => ({ a: 'x'.repeat(size - frame) });
    expect((await add({ content: 'with much metadata', metadata: metadata(65_536) })).status).toBe(202);
    const wide = await add({ content: 'with too much metadata', metadata: metadata(65_537) });
    expect(wide.json.error).toMatchObject({
      code: 'metadata_too_large',
      details: { limit_bytes: 65_536, size_bytes: 65_537 },
    });
  });

  // @covers EXPORT-ITEM EXPORT-LIMIT EXPORT-LIMIT-DEFAULT
  it('exports memories in full, with the names of their namespaces', async () => {
    const page = (query: string) => service.call('GET', `/v1/memories/export${query}`);
    const { json } = await page('?limit=1');
    expect(Object.keys(json.data[0]).sort()).toEqual([...whole, 'namespace'].sort());
    expect(json.data[0].namespace).toEqual({ id: first.namespaceId, name: 'default' });
    for (const limit of [0, 1001]) expect((await page(`?limit=${limit}`)).json.error.code).toBe('invalid_request');
    expect((await page('?limit=1000')).status).toBe(200);
    await Promise.all(Array.from({ length: 80 }, (_, i) => add({ content: `to be exported, ${i}` })));
    const byDefault = (await page('')).json;
    expect([byDefault.data.length, typeof byDefault.next_cursor]).toEqual([100, 'string']);
  });

  // @covers EXPORT-BYTES
  it('exports about 8 MiB at a time', async () => {
    for (let i = 0; i < 10; i += 1) await add({ content: `${i}`.padEnd(1_000_000, ' large') });
    const sizes: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const path: string = `/v1/memories/export?limit=1000${cursor && `&cursor=${cursor}`}`;
      const { json, text } = await service.call('GET', path);
      sizes.push(text.length);
      cursor = json.next_cursor;
    }
    expect(sizes.length).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThan(10 * 1024 * 1024);
    expect(Math.max(...sizes)).toBeGreaterThan(6 * 1024 * 1024);
  });
});
