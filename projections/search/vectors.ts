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

/** One bit for the sign of each of the first dimensions. Vectors with a small angle differ in few of them. */
export function codeOf(vector: Float32Array): Buffer {
  const code = Buffer.alloc(codeWidth(vector.length) - 2);
  vector.subarray(0, codeDimensions).forEach((x, i) => {
    if (x > 0) code.writeUInt8(code.readUInt8(i >> 3) | (1 << (i & 7)), i >> 3);
  });
  return code;
}

/** Codes of one block, unpacked for scanning: `words` 32-bit words each. */
export interface Codes {
  readonly offsets: Uint16Array;
  readonly bits: Int32Array;
  readonly words: number;
}

export function unpackCodes(entries: Buffer, width: number): Codes {
  const words = Math.ceil((width - 2) / 4);
  const count = entries.length / width;
  const offsets = new Uint16Array(count);
  const bytes = new Uint8Array(count * words * 4);
  for (let i = 0; i < count; i++) {
    const at = i * width;
    offsets[i] = entries.readUInt16BE(at);
    for (let byte = 2; byte < width; byte++) bytes[i * words * 4 + byte - 2] = entries[at + byte] ?? 0;
  }
  return { offsets, bits: new Int32Array(bytes.buffer), words };
}

/** How many bits of each code are those of `query` (a block of one code), as a score: nothing apart is 0, more is less. */
export function likeness({ offsets, bits, words }: Codes, query: Codes): Float64Array {
  const scores = new Float64Array(offsets.length);
  for (let i = 0, at = 0; i < scores.length; i++) {
    let apart = 0;
    for (let w = 0; w < words; w++, at++) {
      // The usual population count: sums of 2, 4 and 8 bits side by side, then of the four bytes.
      let x = (bits[at] ?? 0) ^ (query.bits[w] ?? 0);
      x = (x - ((x >>> 1) & 0x55555555)) | 0;
      x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
      apart += Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    }
    scores[i] = -apart;
  }
  return scores;
}
