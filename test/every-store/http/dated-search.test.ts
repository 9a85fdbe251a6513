import { describe, expect, it } from 'vitest';
import { usePeople } from '../../http/people.js';
import { eagerWorld } from '../../http/service.js';
import { stores } from '../../support/stores.js';

interface Hit {
  readonly content: string;
  readonly score: number;
  readonly why: string;
}

describe.each(stores)('a query that names a month or year, on %s', () => {
  const people = usePeople({}, eagerWorld);
  const owner = (method: string, path: string, body?: object) => people.as('owner').call(method, path, body);

  // @covers SEARCH-DATES SEARCH-WHY
  it('prefers memories whose own time lies in it, and says so', async () => {
    const namespace = await people.namespaceNamed('regattas');
    const [may, june] = ['The regatta ended in rain.', 'The regatta ended in fog.'];
    const undated = 'The regatta ended in hail.';
    const memories = [
      { content: may, metadata: { date: '2023-05-08' } },
      { content: june, metadata: { date: 8, occurred_at: '2023-05-31T23:30:00-05:00' } },
      { content: undated, metadata: { date: 'May 2023', created_at: '2023-05' } },
    ].map((memory) => ({ ...memory, namespace }));
    await owner('POST', '/v1/memories/batch', { memories });
    await people.settled();
    const hits = async (query: string): Promise<readonly Hit[]> =>
      (await owner('POST', '/v1/memories/search', { query, namespace_ids: [namespace] })).json.data;
    const dated = async (query: string) =>
      (await hits(query)).filter(({ why }) => why.includes('it is from')).map(({ content }) => content);
    const [first, ...others] = await hits('Which regatta ended in May 2023?');
    expect(first).toMatchObject({ content: may, why: expect.stringMatching(/, and it is from May 2023\.$/) });
    for (const { score, why } of others) {
      expect(score).toBeLessThan(first?.score ?? 0);
      expect(why).not.toContain('it is from');
    }
    expect(await dated('the regatta of june')).toEqual([june]);
    expect((await dated('the regatta of 2023')).sort()).toEqual([june, may].sort());
    expect(await dated('may the regatta end')).toEqual([]);
    // Without a time of its own, a memory is from when it was written.
    expect(await dated(`the regatta of ${new Date().getUTCFullYear()}`)).toEqual([undated]);
  });
});
