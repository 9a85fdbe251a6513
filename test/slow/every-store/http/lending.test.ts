import { beforeAll, describe, expect, it } from 'vitest';
import { usePeople } from '../../../http/people.js';
import { eagerWorld } from '../../../http/service.js';
import { stores } from '../../../support/stores.js';

interface Hit {
  readonly content: string;
  readonly score: number;
  readonly why: string;
  readonly signals: { readonly neighbours: { readonly score: number } | null };
}

/** Memories that a search may not return lend nothing to those around them, hide no word, and change no score. */
describe.each(stores)('what a search may not return, on %s', () => {
  const people = usePeople({}, eagerWorld);
  const owner = (method: string, path: string, body?: object) => people.as('owner').call(method, path, body);
  let made = 0;
  /** A new namespace with these memories, in their order. */
  const namespaceWith = async (memories: readonly object[]): Promise<{ id: string; memories: string[] }> => {
    made += 1;
    const id = await people.namespaceNamed(`lending ${made}`);
    const list = memories.map((memory) => ({ source: 'chat', ...memory, namespace: id }));
    const { json } = await owner('POST', '/v1/memories/batch', { memories: list });
    await people.settled();
    return { id, memories: json.results.map(({ memory_id }: { memory_id: string }) => memory_id) };
  };
  const hits = async (id: string, query: string, filters = {}): Promise<readonly Hit[]> =>
    (await owner('POST', '/v1/memories/search', { query, namespace_ids: [id], filters })).json.data;
  const contents = async (id: string, query: string, filters = {}) =>
    (await hits(id, query, filters)).map(({ content }) => content);

  const question = 'Ana: Did the heron land?';
  const answer = 'Yes, at noon by the lock.';
  const both = [question, answer];

  // @covers FILTER-HITS SEARCH-WHY
  it('may be a hit that only the messages around it have found, or one with a low score', async () => {
    const { id } = await namespaceWith([{ content: question }, { content: answer }]);
    const [asked, answered] = await hits(id, 'heron');
    expect([asked?.signals.neighbours, answered?.signals.neighbours?.score]).toEqual([null, answered?.score]);
    expect([asked?.why, answered?.why]).toEqual([
      'It has your word "heron", and its text is the most similar to your query.',
      'It answers a question that has your words.',
    ]);
    expect(await contents(id, 'heron', { neighbours: false })).toEqual([question]);
    expect(await contents(id, 'heron', { min_score: asked?.score })).toEqual([question]);
    expect(await contents(id, 'heron', { min_score: answered?.score })).toEqual(both);
    // They are left out before the best k are taken.
    const request = { query: 'Ana heron lock', namespace_ids: [id], k: 1 };
    const { json } = await owner('POST', '/v1/memories/search', { ...request, filters: { neighbours: false } });
    expect(json.data).toHaveLength(1);
    const refused = await owner('POST', '/v1/memories/search', { ...request, filters: { any: [{ min_score: 0.5 }] } });
    expect([refused.status, refused.json.error.code]).toEqual([400, 'invalid_filters']);
  });

  describe('lends no words to what was written after it', () => {
    // The word is in a memory elsewhere too, so that it counts, and the answer has a word of its own, so that it is a hit.
    const elsewhere = { content: 'A heron stood on the weir.', source: 'weir' };
    const query = 'heron noon';
    /** The hit that may be lent the words of the question. */
    const answerIn = async (id: string, filters = {}) =>
      (await hits(id, query, filters)).find(({ content }) => content === answer);
    const lent = {
      why: expect.stringContaining('it answers a question'),
      signals: { neighbours: { score: expect.any(Number) } },
    };
    const notLent = { why: expect.not.stringContaining('question'), signals: { neighbours: null } };

    // @covers SEARCH-LENDS-NOTHING
    it('where a filter leaves it out', async () => {
      const { id } = await namespaceWith([{ content: question, metadata: { n: 1 } }, { content: answer }, elsewhere]);
      expect(await answerIn(id)).toMatchObject(lent);
      expect(await answerIn(id, { not: [{ metadata: { n: 1 } }] })).toMatchObject(notLent);
    });

    // @covers SEARCH-LENDS-NOTHING
    it('where it is in a namespace that the key does not reach, before and after a move', async () => {
      const dusk = 'No, at dusk by the weir.';
      const [mine, other, third] = [
        await namespaceWith([{ content: answer }, elsewhere]),
        await namespaceWith([{ content: question }]),
        await namespaceWith([{ content: dusk }]),
      ];
      const { key } = await people.newKey({ namespace_ids: [mine.id] });
      const found = async () => (await people.withKey(key, 'POST', '/v1/memories/search', { query })).json.data;
      const before = await found();
      expect(before.map(({ content }: Hit) => content).sort()).toEqual([elsewhere.content, answer].sort());
      for (const hit of before) expect(hit).toMatchObject(notLent);
      expect(await contents(other.id, 'heron')).toEqual([question]);
      expect((await owner('DELETE', `/v1/namespaces/${other.id}?move_to=${third.id}`)).json.moved).toBe(1);
      await people.settled();
      // What was moved keeps its place by the time of its writing, and lends to what is around it there.
      expect(await contents(third.id, 'heron')).toEqual([question, dusk]);
      expect(await found()).toEqual(before);
    });

    // @covers SEARCH-LENDS-NOTHING
    it('when it is deleted', async () => {
      const { id, memories } = await namespaceWith([{ content: question }, { content: answer }, elsewhere]);
      expect(await answerIn(id)).toMatchObject(lent);
      await owner('DELETE', `/v1/memories/${memories[0]}`);
      expect(await answerIn(id)).toMatchObject(notLent);
    });

    // @covers SEARCH-LENDS-NOTHING
    it('while it is invalidated', async () => {
      const { id, memories } = await namespaceWith([{ content: question }, { content: answer }, elsewhere]);
      const before = await hits(id, query);
      expect(await answerIn(id)).toMatchObject(lent);
      await owner('POST', `/v1/memories/${memories[0]}/invalidate`, { reason: 'It was a stork.' });
      expect(await answerIn(id)).toMatchObject(notLent);
      expect(await answerIn(id, { include_invalidated: true })).toMatchObject(lent);
      await owner('POST', `/v1/memories/${memories[0]}/reinstate`);
      expect(await hits(id, query)).toEqual(before);
    });

    // @covers SEARCH-LENDS-NOTHING
    it('as long as it is a test', async () => {
      const { id } = await namespaceWith([{ content: question, playground: true }, { content: answer }, elsewhere]);
      expect(await answerIn(id)).toMatchObject(notLent);
      expect(await answerIn(id, { include_playground: true })).toMatchObject(lent);
    });
  });

  describe('hides no word of another memory, and changes no score', () => {
    // The texts have the same number of words: the mean length of the memories is the same with the hidden one and without.
    const hotel = { content: 'Grand hotel Lisboa, third floor' };
    const cake = { content: 'crème vanilla sugar butter cake' };
    const hidden = { content: 'Lisbao creme zeppelin third cakes?' };
    const queries = ['Lisbao', 'creme', 'hotel', 'sugar floor'];
    const found = async (id: string, filters = {}) => {
      const answers: object[] = [];
      for (const query of queries) {
        for (const { content, score, why, signals } of await hits(id, query, filters)) {
          // Vectors have single precision, and their words are weighed by what the whole namespace has.
          const rounded = JSON.stringify({ score, signals }, (_, value) =>
            typeof value === 'number' ? Number(value.toFixed(6)) : value,
          );
          answers.push({ query, content, why, rounded });
        }
      }
      return answers;
    };
    let without: object[];
    beforeAll(async () => {
      const { id } = await namespaceWith([hotel, cake]);
      without = await found(id);
    });

    it('is found without the hidden memory, by words that are spelt alike', () => {
      expect(without).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ query: 'Lisbao', why: 'It has your word "lisbao" (as "lisboa").' }),
          expect.objectContaining({ query: 'creme', content: cake.content }),
        ]),
      );
    });

    // @covers SEARCH-HIDES-NOTHING
    it('as a test', async () => {
      const { id } = await namespaceWith([hotel, { ...hidden, playground: true }, cake]);
      expect(await found(id)).toEqual(without);
    });

    // @covers SEARCH-HIDES-NOTHING
    it('when it is invalidated', async () => {
      const { id, memories } = await namespaceWith([hotel, hidden, cake]);
      await owner('POST', `/v1/memories/${memories[1]}/invalidate`, { reason: 'Wrong.' });
      expect(await found(id)).toEqual(without);
    });

    // @covers SEARCH-HIDES-NOTHING
    it('from another source than the filter asks', async () => {
      const { id } = await namespaceWith([hotel, { ...hidden, source: 'other' }, cake]);
      expect(await found(id, { source: 'chat' })).toEqual(without);
    });

    // @covers SEARCH-HIDES-NOTHING
    it('in another namespace', async () => {
      const { id } = await namespaceWith([hotel]);
      await namespaceWith([hidden]);
      await owner('POST', '/v1/memories', { ...cake, source: 'chat', namespace: id });
      await people.settled();
      expect(await found(id)).toEqual(without);
    });
  });
});
