/** The largest whole number whose square is not above this one, by Newton's method. */
export function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  // It begins above the root: a power of two with at least half the binary digits.
  let root = 1n << BigInt((value.toString(16).length * 4 + 1) >> 1);
  for (let next = (root + value / root) / 2n; next < root; next = (root + value / root) / 2n) root = next;
  return root;
}
