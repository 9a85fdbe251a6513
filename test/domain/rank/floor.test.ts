import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimatedFloor, fewestSampled, mostSampled } from '../../../src/domain/rank/floor.js';

/** Unit vectors of a circle, of which every n-th lies at the angle `angleOf(n)`. */
const circle = (count: number, angleOf: (n: number) => number) =>
  Array.from({ length: count }, (_, n) => Float32Array.of(Math.cos(angleOf(n)), Math.sin(angleOf(n))));

describe('the estimated floor of a model', () => {
  it('is the cosine that one of twenty pairs exceeds', () => {
    // Pair n is that of the vectors 2n and 2n + 1, and its cosine is n / 200.
    const vectors = circle(mostSampled, (n) => (n % 2 === 0 ? 0 : Math.acos((n - 1) / 2 / 200)));
    expect(estimatedFloor(vectors)).toBeCloseTo(0.945, 5);
    expect(estimatedFloor([...vectors, ...circle(50, () => 0)])).toBeCloseTo(0.945, 5);
  });

  it('is that of unrelated texts, although a few are equal', () => {
    const vectors = circle(mostSampled, (n) => (n < 12 || n % 2 === 0 ? 0 : Math.PI / 2));
    expect(estimatedFloor(vectors)).toBeCloseTo(0, 5);
  });

  it('is not known with few vectors, and takes no vector beside itself otherwise', () => {
    expect(estimatedFloor(circle(fewestSampled - 1, () => 0))).toBeNull();
    const sizes = fc.integer({ min: fewestSampled, max: mostSampled });
    fc.assert(
      fc.property(sizes, (count) => {
        // The angles are all different, so that a pair of a vector and itself would be the only one with a cosine of 1.
        const floor = estimatedFloor(circle(count, (n) => (n * 2.4) % (2 * Math.PI)));
        expect(floor).not.toBeNull();
        expect(floor).toBeLessThan(1 - 1e-9);
      }),
    );
  });

  it('stays within −1 and 1, and is the same for the same vectors', () => {
    const value = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value, value), { minLength: 100, maxLength: 120 }), (values) => {
        const vectors = values.map((one) => Float32Array.from(one));
        const floor = estimatedFloor(vectors) ?? Number.NaN;
        expect(Math.abs(floor)).toBeLessThanOrEqual(1 + 1e-9);
        expect(estimatedFloor([...vectors])).toBe(floor);
      }),
    );
  });
});
