import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  eachFeature,
  exactCosine,
  featuresOf,
  featuresWith,
  lengthWeight,
} from '../../../src/domain/likeness/features.js';

const word = fc.constantFrom('heron', 'herons', 'tide', 'café', 'the', 'of', '港', 'x1', 'Straßenbahnhaltestelle');
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));

/** The sums of the features by hash, as a map has them. */
function mapOf(of: string): Map<number, number> {
  const sums = new Map<number, number>();
  eachFeature(of, lengthWeight, (code, weight) => sums.set(code, (sums.get(code) ?? 0) + weight));
  return sums;
}

it('is the cosine of the sums of all features', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      const [a, b] = [mapOf(one), mapOf(other)];
      const product = [...a].reduce((sum, [code, weight]) => sum + weight * (b.get(code) ?? 0), 0);
      const length = (of: Map<number, number>) => Math.hypot(...of.values());
      const expected = product === 0 ? 0 : product / (length(a) * length(b));
      expect(exactCosine(featuresWith(one, lengthWeight), featuresWith(other, lengthWeight))).toBeCloseTo(expected, 10);
    }),
  );
});

it('has the features of one text after the other, the lowest hash first', () => {
  const before = featuresWith('the heron waits for the tide', lengthWeight);
  const copy = { ...before, codes: [...before.codes], weights: [...before.weights] };
  featuresWith('another text', lengthWeight);
  expect({ ...before, codes: [...before.codes], weights: [...before.weights] }).toEqual(copy);
  expect(copy.codes).toEqual(copy.codes.toSorted((a, b) => a - b));
});

it('gives a long text one set of features for each chunk, and a text without words empty ones', () => {
  expect(featuresOf('The heron waits. '.repeat(300)).length).toBeGreaterThan(1);
  const [none] = featuresOf('…');
  expect([none?.codes.length, none?.squares]).toEqual([0, 0]);
});
