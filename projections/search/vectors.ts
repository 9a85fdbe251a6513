import { codeDimensions, codeWidth } from './blocks.js';

/**
 * Converts a vector to integers of at most 24 bits, which a float4 holds exactly. The cosine does not depend on the scale. The
 * rounding error is about that of a float4 of the size of the largest component.
 */
export function integersOf(vector: Float32Array): number[] {
  const largest = largestOf(vector);
  const integers: number[] = [];
  for (let i = 0; i < vector.length; i += 1) integers.push(Math.round(((vector[i] ?? 0) / largest) * 8_388_607));
  return integers;
}

/** The largest absolute value of a component. */
function largestOf(vector: Float32Array): number {
  let largest = 0;
  for (let i = 0; i < vector.length; i += 1) largest = Math.max(largest, Math.abs(vector[i] ?? 0));
  return largest;
}

/** A vector of zeros, or with a component that is not a finite number, has no direction and no cosine with any vector. */
export const hasDirection = (vector: Float32Array): boolean =>
  vector.every(Number.isFinite) && vector.some((x) => x !== 0);

/**
 * Rounds each component to one of 15 levels from −7 to 7. A step between levels is 0.64 of the quadratic mean of
 * the components, or larger if the largest component would not fit otherwise. The vector of a text of one word has few
 * components that are not zero, and cutting these off would change the cosine by 0.2.
 *
 * Measured with the built-in embedder on 2,760 messages: the best 100 by these codes hold 99.9% of the nearest 10, and 99.3%
 * of the nearest 50. Codes of the signs only, which have a quarter of the size, hold 18% and 12%, because its vectors have too
 * many zeros.
 */
export function levelsOf(vector: Float32Array): Int8Array {
  let squares = 0;
  for (let i = 0; i < vector.length; i += 1) squares += (vector[i] ?? 0) ** 2;
  const step = Math.max(0.64 * Math.sqrt(squares / vector.length), largestOf(vector) / 7);
  const levels = new Int8Array(Math.min(vector.length, codeDimensions));
  for (let i = 0; i < levels.length; i += 1) {
    levels[i] = Math.max(-7, Math.min(7, Math.round((vector[i] ?? 0) / step)));
  }
  return levels;
}

/** The levels in four bits each, as the index of the database stores them: 8 means zero. */
export function codeOf(vector: Float32Array): Buffer {
  const levels = levelsOf(vector);
  const code = Buffer.alloc(codeWidth(vector.length) - 2);
  for (let i = 0; i < levels.length; i += 1) {
    code[i >> 1] = (code[i >> 1] ?? 0) | ((8 + (levels[i] ?? 0)) << (4 * (i & 1)));
  }
  return code;
}
