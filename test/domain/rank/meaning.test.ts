import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextOf } from '../../../src/domain/rank/context.js';
import { cosineInContext } from '../../../src/domain/rank/meaning.js';

const memory = (id: string, asks = false) => ({ id, asks });
type Memory = ReturnType<typeof memory>;
const unit = (values: readonly number[]) => {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
};
const among =
  (vectors: Readonly<Record<string, Float32Array>>) =>
  ({ id }: Memory) =>
    vectors[id];
const vector = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 })
  .filter((values) => Math.hypot(...values) > 0.01)
  .map(unit);
const product = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

describe('the cosine of a memory in its context', () => {
  const query = unit([1, 0, 0]);

  it('adds half of the weight of each vector around it', () => {
    const vectors = among({ m: unit([0, 1, 0]), before: query, after: unit([0, 0, 1]) });
    const context = contextOf(memory('m'), [memory('before')], [memory('after')]);
    expect(cosineInContext(query, context, vectors)).toBeCloseTo(0.15 / Math.hypot(0.15, 1, 0.15));
    const answer = contextOf(memory('m'), [memory('before', true)], []);
    expect(cosineInContext(query, answer, vectors)).toBeCloseTo(0.5 / Math.hypot(0.5, 1));
  });

  it('is not known without a vector of its own, and leaves out memories without vectors', () => {
    const context = contextOf(memory('m'), [memory('before')], []);
    expect(cosineInContext(query, context, among({ before: query }))).toBe(-1);
    expect(cosineInContext(query, context, among({ m: unit([1, 1, 0]) }))).toBeCloseTo(Math.SQRT1_2);
  });

  it('is near to nothing where the vectors cancel each other out', () => {
    const context = [
      { memory: memory('m'), weight: 1 },
      { memory: memory('x'), weight: 2 },
    ];
    expect(cosineInContext(query, context, among({ m: query, x: unit([-1, 0, 0]) }))).toBe(-1);
  });

  it('is the cosine of the memory itself without a context, and stays within −1 and 1 with one', () => {
    fc.assert(
      fc.property(vector, vector, fc.array(fc.tuple(vector, fc.boolean()), { maxLength: 12 }), (asked, own, others) => {
        const alone = cosineInContext(asked, contextOf(memory('m'), [], []), among({ m: own }));
        expect(alone).toBeCloseTo(product(asked, own), 5);
        const around = others.map(([, asks], i) => memory(`${i}`, asks));
        const vectors = Object.fromEntries(others.map(([one], i) => [`${i}`, one]));
        const context = contextOf(memory('m'), around.slice(0, 7), around.slice(7));
        const found = cosineInContext(asked, context, among({ ...vectors, m: own }));
        expect(Math.abs(found)).toBeLessThanOrEqual(1 + 1e-9);
      }),
    );
  });

  it('does not change by memories out of reach or that are not in the answer', () => {
    fc.assert(
      fc.property(vector, vector, vector, (asked, own, other) => {
        const six = [...'abcdef'].map((id) => memory(id));
        const near = Object.fromEntries(six.map(({ id }) => [id, other]));
        const vectors = among({ ...near, m: own, far: asked, hidden: asked });
        const without = cosineInContext(asked, contextOf(memory('m'), six, []), vectors);
        expect(cosineInContext(asked, contextOf(memory('m'), [...six, memory('far')], []), vectors)).toBe(without);
      }),
    );
  });
});
