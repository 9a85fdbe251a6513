import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administration } from '../../../http/keys.js';
import { type Service, startService } from '../../../http/service.js';
import { stores } from '../../../support/stores.js';

/** The rules of searches one by one: their fields, limits and filters. The same on every store. */
describe.each(stores)('rules of searches on %s', () => {
  let service: Service;
  let namespaceId: string;
  let workspaceId: string;
  beforeAll(async () => {
    service = await startService();
    ({ namespaceId, workspaceId } = await administration(service).first());
  });
  afterAll(() => service.stop());

  const search = (body: object) => service.call('POST', '/v1/memories/search', body);
  const add = async (content: string, body: object = {}, headers = {}) =>
    (await service.call('POST', '/v1/memories', { content, ...body }, headers)).json.memory_id;
  const contents = async (query: string, filters: object) =>
    (await search({ query, filters, k: 50 })).json.data.map((hit: { content: string }) => hit.content).sort();

  // @covers SEARCH-FIELDS SEARCH-HIT SEARCH-RECEIPT-HASH SEARCH-SCORE SEARCH-SIGNALS SEARCH-RECALL
  // @covers SEARCH-BUDGET-DEFAULT
  it('gives a result and hits with every field', async () => {
    await add('A bittern booms in the reeds.');
    await add('Reeds grow by the lake.');
    await service.settled();
    const { json } = await search({ query: 'bittern in the reeds' });
    const result = [
      'receipt_id',
      'receipt_hash',
      'mode',
      'degraded',
      'data',
      'left_out',
      'tokens_used',
      'token_budget',
    ];
    expect(Object.keys(json).sort()).toEqual(result.sort());
    expect([json.mode, json.degraded, json.token_budget]).toEqual(['fused', [], 4000]);
    const [hit] = json.data;
    const names = ['memory_id', 'namespace_id', 'receipt_id', 'receipt_hash', 'content', 'truncated', 'score', 'why'];
    expect(Object.keys(hit).sort()).toEqual(
      [...names, 'signals', 'metadata', 'source', 'provenance', 'created_at'].sort(),
    );
    expect(hit.signals).toEqual({
      dense: { rank: 1, score: expect.any(Number) },
      keyword: { rank: 1, score: expect.any(Number) },
      neighbours: null,
      matched: expect.arrayContaining(['bittern']),
    });
    const write = await service.call('GET', `/v1/receipts/${hit.receipt_id}`);
    expect([write.json.kind, write.json.hash]).toEqual(['memory.write', hit.receipt_hash]);
    const recall = await service.call('GET', '/v1/receipts?kind=memory.recall&limit=100');
    expect(recall.json.data.map((one: { hash: string }) => one.hash)).toEqual([json.receipt_hash]);
    const scores: number[] = json.data.map(({ score }: { score: number }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  // @covers SEARCH-NOTHING
  it('gives nothing where nothing matches', async () => {
    const { status, json } = await search({ query: 'zzyzx qwertz' });
    expect([status, json.data, json.tokens_used]).toEqual([200, [], 0]);
  });

  // @covers SEARCH-NAMESPACES-LIMIT SEARCH-K SEARCH-K-DEFAULT SEARCH-BUDGET SEARCH-QUERY
  it('takes what lies within its limits', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, i) => add(`a snipe, number ${i}`)));
    await service.settled();
    const code = async (body: object) => {
      const { status, json } = await search({ query: 'snipe', ...body });
      return json.error?.code ?? status;
    };
    expect((await search({ query: 'snipe' })).json.data).toHaveLength(8);
    expect((await search({ query: 'snipe', k: 1 })).json.data).toHaveLength(1);
    expect((await search({ query: 'snipe', k: 50 })).json.data).toHaveLength(12);
    for (const k of [0, 51, 1.5, '8']) expect(await code({ k })).toBe('invalid_k');
    for (const token_budget of [200, 32_000]) expect(await code({ token_budget })).toBe(200);
    for (const token_budget of [199, 32_001, '200']) expect(await code({ token_budget })).toBe('invalid_token_budget');
    expect([await code({ query: 'x'.repeat(2000) }), await code({ query: 'x'.repeat(2001) })]).toEqual([
      200,
      'invalid_query',
    ]);
    const ids = (count: number) => ({ namespace_ids: Array(count).fill(namespaceId) });
    expect([await code(ids(1)), await code(ids(100))]).toEqual([200, 200]);
    expect([await code(ids(0)), await code(ids(101))]).toEqual(['invalid_namespace_ids', 'invalid_namespace_ids']);
  });

  // @covers FILTER-PROVENANCE FILTER-CREATED
  it('filters by who wrote, and when', async () => {
    const admin = administration(service);
    const key = await admin.key(workspaceId, { namespaceIds: [namespaceId], userId: 'u-9' });
    const mine = { authorization: `Bearer ${key}`, 'x-service-run': 'r-9' };
    const early = await add('the earlier dunlin');
    await new Promise((resolve) => setTimeout(resolve, 5));
    const late = await add('the later dunlin', {}, mine);
    await service.settled();
    for (const filter of [{ user_id: 'u-9' }, { app_id: ['test key', 'x'] }, { run_id: ['r-9'] }]) {
      expect([filter, await contents('dunlin', filter)]).toEqual([filter, ['the later dunlin']]);
    }
    const time = async (id: string) => (await service.call('GET', `/v1/memories/${id}`)).json.created_at;
    const middle = new Date((Date.parse(await time(early)) + Date.parse(await time(late))) / 2).toISOString();
    expect(await contents('dunlin', { created_after: middle })).toEqual(['the later dunlin']);
    expect(await contents('dunlin', { created_before: middle })).toEqual(['the earlier dunlin']);
  });

  // @covers FILTER-METADATA-EQUAL FILTER-METADATA-OPERATORS FILTER-BOOLEAN FILTER-LEAVES
  it('filters by metadata, and puts filters together', async () => {
    await add('plover one', { metadata: { level: 1, kind: 'a', tags: ['x', 'y'] } });
    await add('plover two', { metadata: { level: 2, kind: 'b' } });
    await service.settled();
    const [one, two] = [['plover one'], ['plover two']];
    const cases: [object, string[]][] = [
      [{ kind: 'a' }, one],
      [{ level: { eq: 2 } }, two],
      [{ level: { ne: 2 } }, one],
      [{ kind: { in: ['b', 'c'] } }, two],
      [{ level: { gt: 1 } }, two],
      [{ level: { gte: 2 } }, two],
      [{ level: { lt: 2 } }, one],
      [{ level: { lte: 1 } }, one],
      [{ tags: { exists: true } }, one],
      [{ tags: { contains: 'y' } }, one],
    ];
    for (const [metadata, expected] of cases) {
      expect([metadata, await contents('plover', { metadata })]).toEqual([metadata, expected]);
    }
    const [a, b] = [{ metadata: { kind: 'a' } }, { metadata: { kind: 'b' } }];
    expect(await contents('plover', { all: [a, b] })).toEqual([]);
    expect(await contents('plover', { any: [a, b] })).toEqual([...one, ...two]);
    expect(await contents('plover', { not: [a] })).toEqual(two);
    const leaves = (count: number) => ({ any: Array.from({ length: count }, (_, i) => ({ source: `s${i}` })) });
    expect((await search({ query: 'plover', filters: leaves(32) })).status).toBe(200);
    expect((await search({ query: 'plover', filters: leaves(33) })).json.error.code).toBe('invalid_filters');
  });
});
