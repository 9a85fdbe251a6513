/** Millionths of a dollar, in which public figures count money. */
const decimals = 6;

/** One receipt with a larger cost would decide every index. Such a cost counts as not stated. */
const mostCost = 1_000_000;

/** The cost of a task in millionths of a dollar, as public figures count it; null where it is not stated. */
export function costMicros(dollars: number | undefined): number | null {
  return dollars === undefined || dollars > mostCost ? null : toMicros(dollars);
}

/**
 * An amount in millionths, rounded half to even from its decimal digits, without floating point in between.
 * @param amount from 0 to 9,000,000,000, so that the result is a safe integer. Its digits are those of RFC 8785, which an
 *   entry holds.
 */
export function toMicros(amount: number): number {
  const [mantissa = '', exponent = '0'] = String(amount).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = BigInt(whole + fraction);
  const shift = decimals + Number(exponent) - fraction.length;
  return Number(shift >= 0 ? digits * 10n ** BigInt(shift) : divideHalfEven(digits, 10n ** BigInt(-shift)));
}

/** The quotient of two numbers from 0, rounded to the next whole number, and from the middle to an even one. */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const twice = 2n * (dividend % divisor);
  const isUp = twice > divisor || (twice === divisor && quotient % 2n === 1n);
  return isUp ? quotient + 1n : quotient;
}

/**
 * `part / whole` as a fraction with six decimals, rounded half to even once; null where the denominator is 0. A double
 * holds the digits: it is printed as exactly this decimal.
 */
export function rate(part: number, whole: number): number | null {
  if (whole === 0) return null;
  return Number(divideHalfEven(BigInt(part) * 1_000_000n, BigInt(whole))) / 1_000_000;
}
