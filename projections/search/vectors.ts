import { codeDimensions, codeWidth } from './blocks.js';

/**
 * The vector in integers of at most 24 bits, which a float4 holds exactly. Cosine does not see the scale, and the
 * rounding is finer than that of a float4 below the largest component.
 */
export function integersOf(vector: Float32Array): number[] {
  const largest = largestOf(vector);
  const integers: number[] = [];
  for (let i = 0; i < vector.length; i += 1) integers.push(Math.round(((vector[i] ?? 0) / largest) * 8_388_607));
  return integers;
}

/** The largest size of a component. */
function largestOf(vector: Float32Array): number {
  let largest = 0;
  for (let i = 0; i < vector.length; i += 1) largest = Math.max(largest, Math.abs(vector[i] ?? 0));
  return largest;
}

/** A vector of zeros or with a component that is no number has no direction, and no cosine with anything. */
export const hasDirection = (vector: Float32Array): boolean =>
  vector.every(Number.isFinite) && vector.some((x) => x !== 0);

/**
 * Each component in four bits, as one of 15 steps from −7 to 7. A step is 0.64 of the mean size of a component, and more where
 * the largest would not fit: of a text of one word few components are not zero, and cut off they would be 0.2 off in cosine.
 *
 * Of the nearest 10 (50) of 2,760 messages by the built-in embedder, the best 100 by these codes hold 99.9% (99.3%). By the
 * signs of the components, a quarter of the size, they hold 18% (12%): its vectors have too many zeros for that.
 */
export function codeOf(vector: Float32Array): Buffer {
  let squares = 0;
  for (let i = 0; i < vector.length; i += 1) squares += (vector[i] ?? 0) ** 2;
  const step = Math.max(0.64 * Math.sqrt(squares / vector.length), largestOf(vector) / 7);
  const code = Buffer.alloc(codeWidth(vector.length) - 2);
  const coded = Math.min(vector.length, codeDimensions);
  for (let i = 0; i < coded; i += 1) {
    const level = 8 + Math.max(-7, Math.min(7, Math.round((vector[i] ?? 0) / step)));
    code[i >> 1] = (code[i >> 1] ?? 0) | (level << (4 * (i & 1)));
  }
  return code;
}
