/** Sums of weights by hashes of 32 bits, as a map would hold them, in memory that is used again for the next text. */
export interface WeightSums {
  clear(): void;
  add(code: number, weight: number): void;
  /** 0 for a hash without a weight. */
  of(code: number): number;
  /** All hashes that have a weight. */
  codes(): Uint32Array;
}

/** A text of 500 characters has about a thousand hashes. The table is a power of two and at most half full. */
const firstSize = 4096;

/** A table with open addressing: the place of a hash is that of its last bits, or the next free one. */
export function weightSums(size = firstSize): WeightSums {
  let codes = new Uint32Array(size);
  let sums = new Float64Array(size);
  let isUsed = new Uint8Array(size);
  /** The used places in the order of their hashes. */
  let used: number[] = [];

  function placeOf(code: number): number {
    let place = code & (codes.length - 1);
    while (isUsed[place] === 1 && codes[place] !== code) place = (place + 1) & (codes.length - 1);
    return place;
  }

  function grow(): void {
    const before = used.map((place) => [codes[place] ?? 0, sums[place] ?? 0] as const);
    codes = new Uint32Array(2 * codes.length);
    sums = new Float64Array(codes.length);
    isUsed = new Uint8Array(codes.length);
    used = [];
    for (const [code, sum] of before) add(code, sum);
  }

  function add(code: number, weight: number): void {
    const place = placeOf(code);
    if (isUsed[place] === 0) {
      isUsed[place] = 1;
      codes[place] = code;
      sums[place] = 0;
      used.push(place);
    }
    sums[place] = (sums[place] ?? 0) + weight;
    if (2 * used.length > codes.length) grow();
  }

  return {
    clear() {
      for (const place of used) isUsed[place] = 0;
      used.length = 0;
    },
    add,
    of(code) {
      const place = placeOf(code);
      return isUsed[place] === 1 ? (sums[place] ?? 0) : 0;
    },
    codes: () => Uint32Array.from(used, (place) => codes[place] ?? 0),
  };
}
