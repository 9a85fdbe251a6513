import { cosine } from './meaning.js';

/** How many pairs are compared, and the share of them that lies below the floor. */
const pairs = 200;
const below = 0.95;
/** With fewer vectors a floor says more about these texts than about the model. */
export const fewestSampled = 100;

/** How many vectors an estimate uses at most. */
export const mostSampled = 2 * pairs;

/**
 * The cosine that two texts with nothing in common rarely reach, estimated for a model of which nothing is known: the 95th percentile
 * of the cosines of 200 pairs of these vectors. The same vectors in the same order give the same floor.
 * @param vectors of any memories, in an order that has nothing to do with their texts; all of one size
 * @returns −1 to 1; null for fewer than `fewestSampled` vectors
 */
export function estimatedFloor(vectors: readonly Float32Array[]): number | null {
  if (vectors.length < fewestSampled) return null;
  const cosines = Array.from({ length: pairs }, (_, n) => {
    const [one, other] = pairOf(n, vectors.length);
    return cosine(vectors[one] ?? [], vectors[other] ?? []);
  });
  return cosines.sort((a, b) => a - b)[Math.ceil(below * pairs) - 1] ?? null;
}

/** The places of the n-th pair: each vector is in one pair, and in more only if there are too few. No pair comes twice. */
function pairOf(n: number, count: number): [number, number] {
  const round = Math.floor((2 * n) / count);
  const one = (2 * n) % count;
  return [one, (one + 1 + round) % count];
}
