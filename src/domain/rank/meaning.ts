import type { Weighted } from './context.js';

/** How much the vectors of the context count beside that of the memory itself, chosen by experiment on half of LoCoMo. */
const shareOfContext = 0.5;

/**
 * The cosine of a query and of a memory together with its context, for the vectors of a language model. A message is often
 * understood only from those around it, so their vectors are added to its own by their weights, and the sum is compared.
 * @param context the memory itself first, then those around it
 * @param vectorOf vectors of length 1 and of the size of the query; undefined where a memory has none
 * @returns −1 to 1, and −1 if the memory itself has no vector
 */
export function cosineInContext<M>(
  query: Float32Array,
  [own, ...around]: readonly Weighted<M>[],
  vectorOf: (memory: M) => Float32Array | undefined,
): number {
  const vector = own && vectorOf(own.memory);
  if (!vector) return -1;
  const sum = Float64Array.from(vector);
  for (const { memory, weight } of around) {
    const other = vectorOf(memory);
    if (other)
      for (let i = 0; i < sum.length; i += 1) sum[i] = (sum[i] ?? 0) + shareOfContext * weight * (other[i] ?? 0);
  }
  return cosine(query, sum);
}

/** @returns −1 to 1. It is −1 for a vector without a direction: opposite vectors may cancel each other out in a sum. */
export function cosine(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let [product, ofOne, ofOther] = [0, 0, 0];
  for (let i = 0; i < other.length; i += 1) {
    const [a, b] = [one[i] ?? 0, other[i] ?? 0];
    product += a * b;
    ofOne += a * a;
    ofOther += b * b;
  }
  return ofOne === 0 || ofOther === 0 ? -1 : product / Math.sqrt(ofOne * ofOther);
}
