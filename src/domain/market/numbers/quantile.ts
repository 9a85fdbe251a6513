import { squareRoot } from './root.js';

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
