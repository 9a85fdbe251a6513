import fc from 'fast-check';
import { expect, it } from 'vitest';
import { weightSums } from '../../../src/domain/likeness/weight-sums.js';

const hash = fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 2 ** 32 - 1 }), fc.constantFrom(0, 8, 16, 2 ** 32 - 1));
const text = fc.array(fc.tuple(hash, fc.double({ min: -2, max: 2, noNaN: true })), { maxLength: 60 });

it('sums up what a map sums up, for one text after the other, in a table that grows', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), (texts) => {
      const sums = weightSums(8);
      for (const features of texts) {
        const expected = new Map<number, number>();
        sums.clear();
        for (const [code, weight] of features) {
          expected.set(code, (expected.get(code) ?? 0) + weight);
          sums.add(code, weight);
        }
        for (const [code, sum] of expected) expect(sums.of(code)).toBe(sum);
        for (let code = 0; code < 40; code += 1) expect(sums.of(code)).toBeCloseTo(expected.get(code) ?? 0, 12);
        const { codes, weights } = sums.all();
        expect([...codes]).toEqual([...expected.keys()]);
        expect([...weights]).toEqual([...expected.values()]);
        expect(sums.squares()).toBeCloseTo(
          [...weights].reduce((sum, weight) => sum + weight * weight, 0),
          10,
        );
      }
    }),
  );
});

it('knows nothing of the text before', () => {
  const sums = weightSums();
  sums.add(7, 2);
  sums.clear();
  expect([sums.of(7), sums.all().codes.length]).toEqual([0, 0]);
});
