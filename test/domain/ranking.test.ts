import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type RankInput, rank, whyOf } from '../../src/domain/ranking.js';

const none = { dense: null, keyword: null, floor: 0.2, neighbours: [] };
const order = (input: Partial<RankInput>) => rank({ ...none, ...input }).map(({ memoryId }) => memoryId);

// @covers SEARCH-SCORE-FORMULA
it('puts the arms together by their weights', () => {
  const keyword = [
    { memoryId: 'a', score: 10 },
    { memoryId: 'b', score: 5 },
  ];
  const dense = [
    { memoryId: 'b', score: 1 },
    { memoryId: 'c', score: 0.6 },
  ];
  expect(order({ keyword, dense })).toEqual(['b', 'a', 'c']);
  expect(order({ keyword })).toEqual(['a', 'b']);
  expect(order({ dense })).toEqual(['b', 'c']);
  expect(order({})).toEqual([]);
  const [b] = rank({ ...none, keyword, dense });
  expect(b).toMatchObject({
    score: 0.5 * 1 + 0.5 * 0.5,
    dense: { rank: 1, score: 1 },
    keyword: { rank: 2, score: 0.5 },
  });
  expect(rank({ ...none, keyword })[0]).toMatchObject({ score: 1, dense: null, neighbours: null });
});

// @covers SEARCH-FLOOR
it('leaves out what lies below the floor, and what matched nothing', () => {
  expect(order({ dense: [{ memoryId: 'a', score: 0.19 }] })).toEqual([]);
  expect(order({ keyword: [{ memoryId: 'a', score: 0 }] })).toEqual([]);
});

// @covers SEARCH-NEIGHBOURS
it('lends to what was written next to a match, less the further away', () => {
  const keyword = [{ memoryId: 'm', score: 3 }];
  const neighbours = [
    { memoryId: 'm', otherId: 'near', distance: 1 },
    { memoryId: 'm', otherId: 'far', distance: 2 },
    { memoryId: 'm', otherId: 'near', distance: 1 },
  ];
  const ranked = rank({ ...none, keyword, neighbours });
  expect(ranked.map(({ memoryId }) => memoryId)).toEqual(['m', 'near', 'far']);
  expect(ranked[1]?.score).toBeCloseTo((ranked[0]?.score ?? 0) * 0.45, 6);
  expect(ranked[1]).toMatchObject({ dense: null, keyword: null });
});

// @covers SEARCH-SCORE
it('keeps every score in 0..1 and the list in order, no matter what comes in', () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const pick = <T>(one: fc.Arbitrary<T>) => fc.uniqueArray(one, { maxLength: 5, selector: (x) => JSON.stringify(x) });
  fc.assert(
    fc.property(
      fc.option(pick(fc.record({ memoryId: id, score: fc.double({ min: -1, max: 1, noNaN: true }) }))),
      fc.option(pick(fc.record({ memoryId: id, score: fc.double({ min: 0, max: 50, noNaN: true }) }))),
      pick(fc.record({ memoryId: id, otherId: id, distance: fc.integer({ min: 1, max: 3 }) })),
      (dense, keyword, neighbours) => {
        const ranked = rank({ dense, keyword, floor: 0.2, neighbours });
        for (const [i, { score }] of ranked.entries()) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
          expect(score).toBeLessThanOrEqual(ranked[i - 1]?.score ?? 1);
        }
        expect(new Set(ranked.map(({ memoryId }) => memoryId)).size).toBe(ranked.length);
      },
    ),
  );
});

// @covers SEARCH-WHY
it('says why in a sentence', () => {
  const both = {
    memoryId: 'a',
    score: 1,
    dense: { rank: 2, score: 1 },
    keyword: { rank: 1, score: 1 },
    neighbours: null,
  };
  expect(whyOf(both, ['tea'])).toBe(
    'It is number 1 by the words it shares with the query (tea), and number 2 by similarity of its text.',
  );
  const lent = { ...both, dense: null, keyword: null, neighbours: { score: 1 } };
  expect(whyOf(lent, [])).toBe('Memories written next to it match as well.');
});
