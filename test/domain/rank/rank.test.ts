import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factsOf, whoIn } from '../../../src/domain/rank/facts.js';
import { type Candidate, type Question, rank, type Written } from '../../../src/domain/rank/rank.js';
import { whyOf } from '../../../src/domain/rank/why.js';

type Known = Partial<Omit<Candidate, 'id'>>;
const memory = (id: string, known: Known = {}): Candidate => ({
  id,
  length: 10,
  asks: false,
  saysWhen: false,
  who: null,
  earlier: [],
  later: [],
  ...known,
});
const written = (id: string, asks = false): Written => ({ id, length: 10, asks });
/** One word for each list: how often the memories of its ids have it. */
const words = (...lists: Record<string, number>[]) =>
  lists.map((list, i) => ({
    share: 1,
    idf: 1,
    tokens: [{ word: `word${i}`, share: 1, frequencies: new Map(Object.entries(list)) }],
  }));
const question = (asked: Partial<Question>): Question => ({
  words: [],
  cosineOf: () => -1,
  vectors: { of: 'lexical', floor: 0.2 },
  asksWhen: false,
  periodOf: () => null,
  named: null,
  meanLength: 10,
  ...asked,
});
const order = (asked: Question, candidates: readonly Candidate[]) => rank(asked, candidates).map(({ id }) => id);

describe('the ranking', () => {
  // @covers SEARCH-SCORE-FORMULA
  it('is by the share of the words that a memory has, and a part of its similarity', () => {
    const [all, half] = rank(question({ words: words({ a: 1, b: 1 }, { a: 1 }) }), [memory('a'), memory('b')]);
    expect([all?.id, half?.id]).toEqual(['a', 'b']);
    expect(half?.keyword).toBeCloseTo((all?.keyword ?? 0) / 2);
    const [near] = rank(question({ words: words({ a: 1 }), cosineOf: ({ id }) => (id === 'b' ? 0.6 : -1) }), [
      memory('b'),
    ]);
    expect(near).toMatchObject({ keyword: 0, dense: expect.closeTo(0.5), score: expect.closeTo(0.075) });
  });

  it('counts the vectors of a model more, and multiplies them by the factors too', () => {
    const vectors = { of: 'model', floor: null } as const;
    const asked = { words: words({ b: 1 }), cosineOf: () => 0.6, vectors, asksWhen: true };
    const [first] = rank(question(asked), [memory('a', { saysWhen: true })]);
    expect(first?.score).toBeCloseTo(0.6 * 0.5 * 1.3);
  });

  // @covers SEARCH-FLOOR
  it('leaves out what lies below the floor, and what matched nothing', () => {
    expect(order(question({ words: words({ b: 1 }), cosineOf: () => 0.19 }), [memory('a')])).toEqual([]);
    expect(order(question({ words: null, cosineOf: () => 0.3 }), [memory('a')])).toEqual(['a']);
  });

  // @covers SEARCH-FLOOR
  it('leaves out what lies below the floor of a model, unless it has a word of the query, or one in its context', () => {
    const vectors = { of: 'model', floor: 0.4 } as const;
    const asked = question({ words: words({ word: 1 }), cosineOf: ({ id }) => (id === 'near' ? 0.4 : 0.39), vectors });
    const lent = memory('lent', { earlier: [written('word')] });
    const hits = rank(asked, [memory('near'), memory('far'), memory('word'), lent]);
    expect(hits.map(({ id }) => id).sort()).toEqual(['lent', 'near', 'word']);
    expect(hits.find(({ id }) => id === 'near')).toMatchObject({ dense: 0.4, score: expect.closeTo(0.2) });
    expect(hits.find(({ id }) => id === 'word')?.dense).toBe(0.39);
    // Without the arm of the words it is not known who has one.
    expect(order({ ...asked, words: null }, [memory('near'), memory('far')])).toEqual(['near', 'far']);
    expect(order({ ...asked, vectors: { of: 'model', floor: null } }, [memory('far')])).toEqual(['far']);
  });

  // @covers SEARCH-NEIGHBOURS
  it('counts the words around a memory for it, less those further away', () => {
    const asked = question({ words: words({ m: 1 }) });
    const one = memory('1', { earlier: [written('x'), written('m')] });
    const far = memory('2', { earlier: [written('x'), written('y'), written('m')] });
    const behind = memory('3', { later: [written('m')] });
    const beyond = memory('4', { earlier: [...'abcdef'].map((id) => written(id)).concat(written('m')) });
    const scores = new Map(rank(asked, [one, far, behind, beyond]).map((hit) => [hit.id, hit]));
    expect([...scores.keys()].sort()).toEqual(['1', '2', '3']);
    expect(scores.get('1')?.neighbours).toBeGreaterThan(scores.get('2')?.neighbours ?? 1);
    expect(scores.get('1')).toMatchObject({ keyword: 0 });
  });

  it('counts the words of a question as those of its answer', () => {
    const asked = question({ words: words({ q: 1 }) });
    const answer = memory('answer', { earlier: [written('q', true)] });
    const other = memory('other', { earlier: [written('q')] });
    expect(order(asked, [other, answer, memory('q', { asks: true, later: [written('answer')] })])).toEqual([
      'answer',
      'q',
      'other',
    ]);
  });

  it('prefers the memories of the one who is named, those that say when, and those that do not ask', () => {
    const asked = question({ words: words({ a: 1, b: 1 }), named: 'maria', asksWhen: true });
    expect(order(asked, [memory('a', { who: 'maria' }), memory('b', { who: 'jon' })])).toEqual(['a', 'b']);
    expect(order(asked, [memory('a'), memory('b', { saysWhen: true })])).toEqual(['b', 'a']);
    expect(order(asked, [memory('b', { asks: true }), memory('a')])).toEqual(['a', 'b']);
  });

  it('prefers the memories of a month or year that the query names, with their other factors', () => {
    const asked = question({
      words: words({ a: 1, b: 1, c: 1 }),
      periodOf: ({ id }) => (id === 'c' ? null : 'May 2023'),
      asksWhen: true,
    });
    const scores = new Map(
      rank(asked, [memory('a'), memory('b', { saysWhen: true }), memory('c')]).map((hit) => [hit.id, hit]),
    );
    const plain = scores.get('c')?.order ?? 0;
    expect(scores.get('a')?.order).toBeCloseTo(plain * 1.1);
    expect(scores.get('b')?.order).toBeCloseTo(plain * 1.3 * 1.1);
    expect([...scores.values()].map(({ helped }) => helped.period)).toEqual(['May 2023', 'May 2023', null]);
  });

  it('counts the best token of a word only', () => {
    const tokens = [
      { word: 'exact', share: 1, frequencies: new Map([['exact', 1]]) },
      {
        word: 'folded',
        share: 0.95,
        frequencies: new Map([
          ['exact', 1],
          ['folded', 1],
        ]),
      },
    ];
    const hits = rank(question({ words: [{ share: 1, idf: 1, tokens }] }), [memory('folded'), memory('exact')]);
    expect(hits.map(({ id }) => id)).toEqual(['exact', 'folded']);
    expect(hits[1]?.score).toBeCloseTo((hits[0]?.score ?? 0) * 0.95);
  });

  // @covers SEARCH-SCORE
  it('keeps every score in 0..1 and the list in order, of equal scores the newest first', () => {
    const list = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 1, max: 9 }));
    const cosine = fc.double({ min: -1, max: 1, noNaN: true });
    const near = fc.subarray(['a', 'b', 'c', 'd']).map((ids) => ids.map((id) => written(id, id === 'b')));
    fc.assert(
      fc.property(
        fc.array(list, { maxLength: 4 }),
        cosine,
        fc.boolean(),
        fc.option(cosine),
        near,
        near,
        (lists, near, isModel, floor, before, after) => {
          const asked = question({
            words: words(...lists),
            cosineOf: () => near,
            vectors: isModel ? { of: 'model', floor } : { of: 'lexical', floor: 0.2 },
            asksWhen: true,
          });
          const hits = rank(
            asked,
            ['a', 'b', 'c'].map((id) => memory(id, { saysWhen: id === 'c', earlier: before, later: after })),
          );
          for (const { score, keyword, neighbours, dense } of hits) {
            for (const value of [score, keyword, dense]) expect(value >= 0 && value <= 1).toBe(true);
            expect(neighbours).toBeGreaterThanOrEqual(0);
          }
          const keys = hits.map(({ order, id }) => [order, id] as const);
          expect(keys.toSorted(([a, x], [b, y]) => b - a || (x < y ? 1 : -1))).toEqual(keys);
        },
      ),
    );
  });
});

describe('what has helped a memory', () => {
  const helpedOf = (asked: Question, candidate: Candidate) => rank(asked, [candidate])[0]?.helped;

  it('is the words that only the memories around it have', () => {
    const asked = question({ words: words({ a: 1, x: 1 }, { x: 1 }, { y: 1 }) });
    expect(helpedOf(asked, memory('a', { earlier: [written('x')], later: [written('z')] }))?.lent).toEqual(['word1']);
  });

  it('is the question before it, if that has a word of the query', () => {
    const answer = memory('a', { earlier: [written('q', true)] });
    expect(helpedOf(question({ words: words({ a: 1 }, { q: 1 }) }), answer)?.answers).toBe(true);
    expect(helpedOf(question({ words: words({ a: 1 }, { x: 1 }) }), answer)?.answers).toBe(false);
    expect(helpedOf(question({ words: null, cosineOf: () => 1 }), answer)?.answers).toBe(false);
  });
});

describe('the one who said or wrote a memory', () => {
  it.each([
    [{}, 'Maria Silva: It is late.', 'Maria Silva'],
    [{ author: ' Ingrid ' }, 'Maria: It is late.', 'Ingrid'],
    [{ speaker: '', author: 7, role: 'user' }, 'It is late.', 'user'],
    [{}, 'It is late.', null],
  ])('is named as it is written: %#', (metadata, text, name) => {
    expect(whoIn(metadata, text)).toBe(name);
    expect(factsOf(text).speaker).toBe(/^(.*):/.exec(text)?.[1]?.toLowerCase() ?? null);
  });
});

describe('the reason of a hit', () => {
  const none = { isNamed: false, saysWhen: false, period: null, isNewer: false, answers: false, lent: [] };
  const hit = { dense: null, keyword: null, neighbours: null, helped: none };
  const keyword = { rank: 2, score: 0.4 };
  const neighbours = { score: 0.3 };
  const dense = { rank: 1, score: 0.2 };

  // @covers SEARCH-WHY
  it.each([
    [{ keyword }, 'It has your words "ferry" and "pier".'],
    [
      { keyword, neighbours, dense: { rank: 3, score: 0.2 } },
      'It has your words "ferry" and "pier", the messages around it have these words too, and its text is similar to your query.',
    ],
    [
      { keyword, neighbours, dense, helped: { ...none, lent: ['tide'] } },
      'It has your words "ferry" and "pier", the messages around it have your word "tide", and its text is the most similar to your query.',
    ],
    [
      { neighbours, helped: { ...none, answers: true, saysWhen: true, isNamed: true } },
      'It answers a question that has your words, it is by Maria, and it says when.',
    ],
    [
      { keyword, helped: { ...none, period: 'May 2023' } },
      'It has your words "ferry" and "pier", and it is from May 2023.',
    ],
    [
      { dense, helped: { ...none, isNewer: true } },
      'Its text is the most similar to your query, and it is newer than a similar memory.',
    ],
    [{ neighbours }, 'The messages around it have your words.'],
    [{ neighbours, dense }, 'The messages around it have your words, and its text is the most similar to your query.'],
  ])('is a sentence: %#', (found, sentence) => {
    expect(whyOf({ ...hit, matched: ['ferry', 'pier'], ...found }, 'Maria')).toBe(sentence);
  });

  it.each([
    [['ferry'], 'word "ferry"'],
    [['crane.conf', 'crane', 'conf', 'conf ≈ config'], 'word "crane.conf"'],
    [['lisbao ≈ lisboa', 'hotel'], 'words "lisbao" (as "lisboa") and "hotel"'],
    [['creme', 'creme ≈ crème', 'c++'], 'words "creme" and "c++"'],
    [[...'abcdefgh'], 'words "a", "b", "c", "d", "e", "f", and 2 more'],
  ])('names a word once, and not too many: %#', (matched, named) => {
    expect(whyOf({ ...hit, keyword, matched }, null)).toBe(`It has your ${named}.`);
  });
});
