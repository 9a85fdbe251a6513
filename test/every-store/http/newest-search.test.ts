import { describe, expect, it } from 'vitest';
import { usePeople } from '../../http/people.js';
import { eagerWorld } from '../../http/service.js';
import { stores } from '../../support/stores.js';

interface Hit {
  readonly content: string;
  readonly score: number;
  readonly why: string;
}

describe.each(stores)('a fact that was stated again, on %s', () => {
  const people = usePeople({}, eagerWorld);
  const owner = (method: string, path: string, body?: object) => people.as('owner').call(method, path, body);

  // @covers SEARCH-NEWEST SEARCH-WHY
  it('is found as it was stated last, unless that is not valid any more', async () => {
    const namespace = await people.namespaceNamed('ferries');
    const nine = 'When it rains, the ferry to Porto leaves at nine from the old quay.';
    const ten = 'When it rains, the ferry to Porto leaves at ten from the old stone quay.';
    const memories = [nine, ten].map((content) => ({ content, namespace }));
    const { json } = await owner('POST', '/v1/memories/batch', { memories });
    await people.settled();
    const hits = async (query: string, filters = {}): Promise<readonly Hit[]> =>
      (await owner('POST', '/v1/memories/search', { query, namespace_ids: [namespace], filters })).json.data;
    const query = 'When does the ferry to Porto leave?';
    const [first, second] = await hits(query);
    expect([first?.content, second?.content]).toEqual([ten, nine]);
    expect(first).toMatchObject({ score: second?.score, why: expect.stringContaining('newer than a similar memory') });
    expect(second?.why).not.toContain('newer');
    const [best] = (await owner('POST', '/v1/memories/search', { query, namespace_ids: [namespace], k: 1 })).json.data;
    expect(best.content).toBe(ten);
    await owner('POST', `/v1/memories/${json.results[1].memory_id}/invalidate`, { reason: 'It was a mistake.' });
    await people.settled();
    const [valid] = await hits(query, { include_invalidated: true });
    expect(valid).toMatchObject({ content: nine, why: expect.not.stringContaining('newer') });
  });
});
