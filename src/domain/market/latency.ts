import { squareRoot } from './numbers/exact.js';

/** Buckets grow by 2 percent, so a quantile that is read from them is within 1 percent. */
const [numerator, denominator] = [102n, 100n];

/** Longer than the years 1 to 9999. */
const longest = 10n ** 15n;

/** For each bucket k the first whole number of milliseconds that is not below 1.02^k, worked out with whole numbers. */
const firstOfBucket: readonly number[] = firsts();

function firsts(): number[] {
  const found: number[] = [];
  for (let [power, unit] = [1n, 1n]; power <= longest * unit; power *= numerator, unit *= denominator) {
    found.push(Number((power + unit - 1n) / unit));
  }
  return found;
}

/** The bucket k with 1.02^k ≤ max(1, ms) < 1.02^(k+1). @param ms a whole number from 0 */
export function latencyBucket(ms: number): number {
  const wanted = Math.max(1, ms);
  let [low, high] = [0, firstOfBucket.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((firstOfBucket[middle] ?? Number.POSITIVE_INFINITY) <= wanted) low = middle;
    else high = middle;
  }
  return low;
}

/** Bucket of a latency → number of tasks whose latency is in it. */
export type Latencies = ReadonlyMap<number, number>;

/**
 * The bucket of the ⌈q·n⌉-th smallest of n latencies; null where there are none.
 * @param percent 100 q, a whole number from 1 to 100
 */
export function quantileBucket(latencies: Latencies, percent: number): number | null {
  let n = 0;
  for (const count of latencies.values()) n += count;
  let rest = Math.ceil((n * percent) / 100);
  for (const bucket of [...latencies.keys()].sort((a, b) => a - b)) {
    rest -= latencies.get(bucket) ?? 0;
    if (rest <= 0) return bucket;
  }
  return null;
}

/** The quantile in whole milliseconds, as it is printed. */
export function quantile(latencies: Latencies, percent: number): number | null {
  const bucket = quantileBucket(latencies, percent);
  return bucket === null ? null : bucketMs(bucket);
}

const printed = new Map<number, number>();

/** 1.02^(k + ½) rounded to a whole number. A power of such an odd number of halves is irrational, so it is never in the middle. */
export function bucketMs(bucket: number): number {
  const known = printed.get(bucket);
  if (known !== undefined) return known;
  const power = BigInt(2 * bucket + 1);
  // The root of a number is rounded up where four times the number is not below the square of an odd number.
  const ms = (squareRoot((4n * 51n ** power) / 50n ** power) + 1n) / 2n;
  printed.set(bucket, Number(ms));
  return Number(ms);
}
