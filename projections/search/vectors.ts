import { codeDimensions, codeWidth } from './blocks.js';

/**
 * The vector in integers of at most 24 bits, which a float4 holds exactly. Cosine does not see the scale, and the
 * rounding is finer than that of a float4 below the largest component.
 */
export function integersOf(vector: Float32Array): number[] {
  const largest = vector.reduce((max, x) => Math.max(max, Math.abs(x)), 0);
  return Array.from(vector, (x) => Math.round((x / largest) * 8_388_607));
}

/** A vector of zeros or with a component that is no number has no direction, and no cosine with anything. */
export const hasDirection = (vector: Float32Array): boolean =>
  vector.every(Number.isFinite) && vector.some((x) => x !== 0);

/**
 * Each component in four bits, as one of 15 steps from −7 to 7. A step is 0.64 of the mean size of a component, and more where
 * the largest would not fit: of a text of one word few components are not zero, and cut off they would be 0.2 off in cosine.
 *
 * Of the nearest 10 (50) of 2,760 turns by the built-in embedder, the best 100 by these codes hold 99.9% (99.3%). By the
 * signs of the components, a quarter of the size, they hold 18% (12%): its vectors have too many zeros for that.
 */
export function codeOf(vector: Float32Array): Buffer {
  const squares = vector.reduce((sum, x) => sum + x * x, 0);
  const largest = vector.reduce((max, x) => Math.max(max, Math.abs(x)), 0);
  const step = Math.max(0.64 * Math.sqrt(squares / vector.length), largest / 7);
  const code = Buffer.alloc(codeWidth(vector.length) - 2);
  vector.subarray(0, codeDimensions).forEach((x, i) => {
    const level = 8 + Math.max(-7, Math.min(7, Math.round(x / step)));
    code.writeUInt8(code.readUInt8(i >> 1) | (level << (4 * (i & 1))), i >> 1);
  });
  return code;
}
