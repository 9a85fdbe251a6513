import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contendersIn, withNewest } from '../../../src/domain/rank/newest.js';
import { bestFirst, type Scored } from '../../../src/domain/rank/rank.js';

const helped = { isNamed: false, saysWhen: false, period: null, isNewer: false, answers: false, lent: [] };
const hit = (id: string, order: number): Scored => ({
  id,
  order,
  score: Math.min(1, order),
  keyword: order,
  neighbours: 0,
  dense: 0,
  helped,
});
/** Hits by their texts, of which a later one is newer. */
const placed = (hits: readonly (readonly [id: string, order: number, text: string])[], query: string) => {
  const scored = hits.map(([id, order]) => hit(id, order)).sort(bestFirst);
  const texts = new Map(hits.map(([id, , text]) => [id, text]));
  return [...withNewest(scored, texts, { query, words: query.split(' ').filter((word) => word !== 'to') })].sort(
    bestFirst,
  );
};
const first = (...given: Parameters<typeof placed>) => placed(...given)[0]?.id;

const old = ['1', 0.8, 'The ferry to Porto leaves at nine.'] as const;
const query = 'ferry porto';
const asked = { query, words: query.split(' ') };

describe('the newest of hits that are alike', () => {
  // @covers SEARCH-NEWEST
  it('comes first with the score of the first one, if it has nearly that', () => {
    const [newest, other] = placed([old, ['2', 0.77, 'The ferry to Porto leaves at ten now.']], query);
    expect(newest).toMatchObject({ id: '2', score: 0.8, order: 0.8, helped: { isNewer: true } });
    expect(other).toEqual(hit('1', 0.8));
    expect(first([old, ['2', 0.75, 'The ferry to Porto leaves at ten now.']], query)).toBe('1');
    expect(
      first(
        [
          ['2', 0.8, old[2]],
          ['1', 0.77, 'The ferry to Porto leaves at ten now.'],
        ],
        query,
      ),
    ).toBe('2');
  });

  it('is the newest of several', () => {
    const text = 'The ferry to Porto leaves at';
    const hits = placed([old, ['3', 0.78, `${text} eleven`], ['2', 0.79, `${text} ten`]], query);
    expect(hits.map(({ id }) => id)).toEqual(['3', '1', '2']);
  });

  it('has each word of the query that the first one has, as that is written', () => {
    const faro = ['2', 0.79, 'The ferry to Faro leaves at ten.'] as const;
    expect(first([old, faro], 'ferry porto')).toBe('1');
    expect(first([old, faro], 'ferry leaves')).toBe('2');
    expect(first([old, ['2', 0.79, 'The ferries to Porto leave at ten.']], query)).toBe('1');
    const from = ['2', 0.79, 'The ferry from Porto leaves at ten.'] as const;
    expect(first([old, from], 'ferry porto')).toBe('2');
    expect(first([old, from], 'ferry to porto')).toBe('1');
    // A word that the first one lacks is not demanded.
    expect(first([old, ['2', 0.79, 'The ferry to Porto leaves at ten.']], 'ferry porto winter')).toBe('2');
  });

  it('has three of ten words of the shorter text', () => {
    expect(first([old, ['2', 0.79, 'Ferry, Porto: Ana sat there with two friends, and it rained.']], query)).toBe('1');
    expect(
      first(
        [
          ['1', 0.8, '!'],
          ['2', 0.79, '!'],
        ],
        query,
      ),
    ).toBe('1');
  });

  it('is among the first ten, and has a text that may be compared', () => {
    const near = Array.from({ length: 9 }, (_, i) => [`1${i}`, 0.79, 'tide'] as const);
    const far = ['2', 0.785, old[2]] as const;
    expect(first([old, ...near.slice(1), far], query)).toBe('2');
    expect(first([old, ...near, far], query)).toBe('1');
    expect([...withNewest([hit('1', 0.8), hit('2', 0.8)], new Map([['1', old[2]]]), asked)]).toHaveLength(2);
    expect(contendersIn([hit('2', 0.8), hit('1', 0.8)])).toEqual([]);
    expect(contendersIn([])).toEqual([]);
  });

  it('takes no hit away, changes one score at most, and lowers none', () => {
    const text = fc.constantFrom('ferry porto nine', 'ferry porto ten', 'ferry faro', 'tide', '');
    const some = fc.array(fc.tuple(fc.double({ min: 0.01, max: 1.4, noNaN: true }), text), { maxLength: 14 });
    fc.assert(
      fc.property(some, (given) => {
        const hits = given.map(([order], i) => hit(String(i + 10), order)).sort(bestFirst);
        const texts = new Map(given.map(([, text], i) => [String(i + 10), text]));
        const found = withNewest(hits, texts, asked);
        expect(found.map(({ id }) => id)).toEqual(hits.map(({ id }) => id));
        const changed = found.filter((one, i) => one !== hits[i]);
        expect(changed.length).toBeLessThanOrEqual(1);
        for (const { id, order } of changed) {
          expect(order).toBe(hits[0]?.order);
          expect(hits.find((one) => one.id === id)?.order).toBeGreaterThanOrEqual(0.95 * order);
        }
      }),
    );
  });
});
