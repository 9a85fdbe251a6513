import { createHash } from 'node:crypto';

/** Random choices that are the same for the same seed and name, independent of all other choices. */
export interface Chance {
  /** From 0 to 1. */
  share(): number;
  happens(probability: number): boolean;
  /** A whole number from `from` to `to`, both included. */
  whole(from: number, to: number): number;
  pick<T>(items: readonly T[]): T;
  /** One of the items, as often as its weight says. */
  weighted<T>(items: readonly (readonly [T, number])[]): T;
  /** Log-normal: half of the values are below the median, and few are far above. */
  around(median: number, spread: number): number;
  /** Exponential, as the time between two independent events. */
  wait(mean: number): number;
  hex(digits: number): string;
}

export function chance(seed: number | string, name: string): Chance {
  const words = createHash('sha256').update(`${seed}/${name}`).digest();
  let [a, b, c, d] = [words.readUInt32LE(0), words.readUInt32LE(4), words.readUInt32LE(8), words.readUInt32LE(12)];
  /** sfc32, of which 2^64 numbers pass before it repeats itself. */
  const next = (): number => {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  const share = () => next() / 2 ** 32;
  const whole = (from: number, to: number) => from + Math.floor(share() * (to - from + 1));
  return {
    share,
    happens: (probability) => share() < probability,
    whole,
    pick: (items) => itemAt(items, whole(0, items.length - 1)),
    weighted(items) {
      let left = share() * items.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [item, weight] of items) {
        left -= weight;
        if (left < 0) return item;
      }
      return itemAt(items, items.length - 1)[0];
    },
    around: (median, spread) =>
      median * Math.exp(spread * Math.sqrt(-2 * Math.log(1 - share())) * Math.cos(2 * Math.PI * share())),
    wait: (mean) => -mean * Math.log(1 - share()),
    hex(digits) {
      let text = '';
      while (text.length < digits) text += next().toString(16).padStart(8, '0');
      return text.slice(0, digits);
    },
  };
}

function itemAt<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new Error('there is nothing to choose from');
  return item;
}

/** Money has at most 6 decimals. */
export function money(value: number): number {
  return Number(value.toFixed(6));
}
