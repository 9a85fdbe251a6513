import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eachFeature, lengthWeight, likenessTo } from '../../../src/domain/likeness/features.js';

const word = fc.constantFrom('heron', 'herons', 'tide', 'café', 'the', 'of', '港', 'x1', 'Straßenbahnhaltestelle');
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));

/** FNV-1a of the characters, mixed. */
function hashOf(characters: string, seed: number): number {
  let value = 0x811c9dc5 ^ seed;
  for (const character of characters) value = Math.imul(value ^ character.charCodeAt(0), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  return (value ^ (value >>> 15)) >>> 0;
}

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
      const likeness = likenessTo(one, lengthWeight);
      expect(likeness(other)).toBeCloseTo(expected, 10);
      // Another text in between changes nothing.
      likeness('the heron waits for the tide');
      expect(likeness(other)).toBeCloseTo(expected, 10);
    }),
  );
});

it('gives the features of each word, pair and n-gram, as a hash of their characters says', () => {
  const found = new Set<number>();
  eachFeature('Tide, café', lengthWeight, (code) => found.add(code));
  const ngrams = ['^tide$', '^cafe$'].flatMap((marked) =>
    [3, 4].flatMap((size) =>
      Array.from({ length: marked.length - size + 1 }, (_, at) => hashOf(marked.slice(at, at + size), 3)),
    ),
  );
  expect(found).toEqual(new Set([hashOf('tide', 1), hashOf('café', 1), hashOf('tide café', 2), ...ngrams]));
});

it('is that of the nearest part of a long text, and 0 for a text without words', () => {
  const likeness = likenessTo('the heron waits', lengthWeight);
  const long = `${'Boats sail at noon. '.repeat(60)}The heron waits.${' Boats sail at noon.'.repeat(60)}`;
  expect(likeness(long)).toBeGreaterThan(likenessTo('boats sleep', lengthWeight)('the heron waits'));
  expect([likeness('…'), likeness('')]).toEqual([0, 0]);
  expect(likenessTo('…', lengthWeight)('the heron')).toBe(0);
});
