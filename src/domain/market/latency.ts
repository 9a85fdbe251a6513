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
