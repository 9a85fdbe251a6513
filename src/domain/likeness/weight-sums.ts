/** Hashes with their weights beside them. */
export interface Weights {
  readonly codes: Uint32Array;
  readonly weights: Float64Array;
}

/** Sums of weights by hashes of 32 bits, as a map would hold them, in memory that is used again for the next text. */
export interface WeightSums {
  clear(): void;
  add(code: number, weight: number): void;
  /** 0 for a hash without a weight. */
  of(code: number): number;
  /** All hashes that have a weight, in the order in which they were added first. */
  all(): Weights;
  /** The sum of the squares of all weights. */
  squares(): number;
}

/** A text of 500 characters has about a thousand hashes. The table is a power of two and at most half full. */
const firstSize = 4096;

/** A table with open addressing: the place of a hash is that of its last bits, or the next free one. */
export function weightSums(size = firstSize): WeightSums {
  let codes = new Uint32Array(size);
  let sums = new Float64Array(size);
  /** The number of the text that has used a place, so that a new text finds all places free. */
  let textOf = new Uint32Array(size);
  let text = 1;
  /** The used places in the order of their hashes. */
  let used = new Uint32Array(size / 2 + 1);
  let count = 0;

  function placeOf(code: number): number {
    const last = codes.length - 1;
    let place = code & last;
    while (textOf[place] === text && codes[place] !== code) place = (place + 1) & last;
    return place;
  }

  function grow(): void {
    const before = all();
    const larger = 2 * codes.length;
    codes = new Uint32Array(larger);
    sums = new Float64Array(larger);
    textOf = new Uint32Array(larger);
    used = new Uint32Array(larger / 2 + 1);
    count = 0;
    for (const [i, code] of before.codes.entries()) add(code, before.weights[i] ?? 0);
  }

  function add(code: number, weight: number): void {
    const place = placeOf(code);
    if (textOf[place] !== text) {
      textOf[place] = text;
      codes[place] = code;
      sums[place] = 0;
      used[count] = place;
      count += 1;
    }
    sums[place] = (sums[place] ?? 0) + weight;
    if (2 * count > codes.length) grow();
  }

  function all(): Weights {
    const found = { codes: new Uint32Array(count), weights: new Float64Array(count) };
    for (let i = 0; i < count; i += 1) {
      const place = used[i] ?? 0;
      found.codes[i] = codes[place] ?? 0;
      found.weights[i] = sums[place] ?? 0;
    }
    return found;
  }

  return {
    clear() {
      count = 0;
      text += 1;
      if (text < 2 ** 32) return;
      textOf.fill(0);
      text = 1;
    },
    add,
    of(code) {
      const place = placeOf(code);
      return textOf[place] === text ? (sums[place] ?? 0) : 0;
    },
    all,
    squares() {
      let squares = 0;
      for (let i = 0; i < count; i += 1) {
        const sum = sums[used[i] ?? 0] ?? 0;
        squares += sum * sum;
      }
      return squares;
    },
  };
}
