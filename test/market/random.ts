/** Random values with a seed, so that a failure happens again. */
export interface Random {
  /** From 0, and less than `below`. */
  whole(below: number): number;
  pick<T>(values: readonly T[]): T;
  /** True with this probability. */
  chance(probability: number): boolean;
}

/** Mulberry32. */
export function random(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (below: number): number => Math.floor(next() * below);
  return {
    whole,
    pick(values) {
      const picked = values[whole(values.length)];
      if (picked === undefined) throw new Error('there is nothing to pick');
      return picked;
    },
    chance: (probability) => next() < probability,
  };
}
