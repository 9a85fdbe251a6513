import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from './service.js';

/** The words that searches find, from outside: through the cutter, the stemmer of the database, the index and the ranking. */
describe('a search by words', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ SEARCH_ARMS: 'keyword' });
  });
  afterAll(() => service.stop());

  const add = async (content: string, more: object = {}): Promise<string> =>
    (await service.call('POST', '/v1/memories', { content, ...more })).json.memory_id;
  const search = async (query: string, filters: object = {}): Promise<{ content: string; score: number }[]> =>
    (await service.call('POST', '/v1/memories/search', { query, k: 20, filters })).json.data;
  const scoreOf = async (query: string, content: string, filters: object = {}) =>
    (await search(query, filters)).find((hit) => hit.content === content)?.score ?? 0;

  const written = [
    '/srv/quay/rules.d/crane.conf',
    'srv quay rules crane conf, crane and quay',
    'https://tides.pier.example/d/a1/water-level',
    'Mail ana.silva@marina.example about the berths.',
    'vitamin C and zinc',
    'The parser is written in C++ and C#.',
    'Upgraded to v16.4.2 on 2025-07-14, 40GB/s over BX-100821.',
    'Commit a94a8fe5ccb19ba61c4c breaks keepAliveTimeout.',
    'Herr Müller meets Mr O’Brien at the Café Größe.',
    'The R&D budget of Next.js sign-in runners',
    'the docks of Łódź',
  ];

  // @covers SEARCH-CODES SEARCH-SCRIPTS
  it('finds the parts, the whole and other writings of what is written without spaces', async () => {
    for (const content of written) await add(content);
    await service.settled();
    const first: readonly [number, readonly string[]][] = [
      [0, ['/srv/quay/rules.d/crane.conf', 'quay/rules.d', 'crane.conf', 'rules.d']],
      [
        2,
        [
          'tides',
          'pier.example',
          'tides.pier.example',
          'https://tides.pier.example/d/a1',
          'water_level',
          'water level',
        ],
      ],
      [3, ['silva', 'marina.example', 'ana.silva@marina.example', 'berth']],
      [4, ['vitamin c']],
      [5, ['C++', 'c#', 'parsers']],
      [6, ['16.4', 'v16.4.2', '40 GB', '40gb/s', 'bx100821', 'BX 100821', '2025-07', '20250714', 'bx1008']],
      [7, ['a94a8f', 'A94A8FE5CCB1', 'keepalivetimeout', 'keep alive', 'timeouts']],
      [8, ['mueller', 'muller', 'MÜLLER', 'obrien', "O'Brien's", 'cafe', 'groesse', 'grosse']],
      [9, ['r&d', 'nextjs', 'signin', 'sign_in', 'runner']],
      [10, ['lodz', 'dock']],
    ];
    for (const [i, queries] of first) {
      for (const query of queries) expect([query, (await search(query))[0]?.content]).toEqual([query, written[i]]);
    }
    const contents = async (query: string) => (await search(query)).map(({ content }) => content);
    expect(await contents('C++')).not.toContain(written[4]);
    expect(await contents('crane')).toContain(written[0]);
    for (const query of ['a94a9f', 'v17', 'c+-']) expect([query, await contents(query)]).toEqual([query, []]);
    const alone = await scoreOf('crane', written[1] ?? '');
    expect(await scoreOf('crane', written[0] ?? '')).toBeGreaterThanOrEqual(alone / 2);
  });

  it('finds a misspelt word however it is written in memories that it may not return', async () => {
    const right = 'Grand hotel Lisboa, third floor';
    // Each of a source of its own: memories of one source lend their words to each other.
    await add(right, { source: 'trip' });
    await add('crème brûlée', { source: 'meal' });
    await service.settled();
    const trip = { source: ['trip', 'meal', 'gone'] };
    const [lisboa, creme] = [await scoreOf('Lisbao', right, trip), await scoreOf('creme', 'crème brûlée', trip)];
    expect(lisboa).toBeGreaterThan(0.3);
    await add('Lisbao creme', { playground: true, source: 'gone' });
    await add('Lisbao and creme', { source: 'elsewhere' });
    const gone = await add('the Lisbao creme', { source: 'gone' });
    await service.settled();
    await service.call('POST', `/v1/memories/${gone}/invalidate`, { reason: 'It was misspelt.' });
    for (const [query, content, before] of [
      ['Lisbao', right, lisboa],
      ['creme', 'crème brûlée', creme],
    ] as const) {
      const hits = await search(query, trip);
      expect([query, hits.map((hit) => hit.content)]).toEqual([query, [content]]);
      expect(hits[0]?.score).toBeGreaterThan(before / 2);
    }
    const seen = await search('Lisbao', { source: ['trip', 'elsewhere'] });
    expect(seen.map(({ content }) => content)).toEqual(['Lisbao and creme', right]);
  });
});
