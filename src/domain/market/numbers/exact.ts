/** Millionths of a dollar, in which public figures count money. */
const decimals = 6;
const perDollar = 10 ** decimals;

/** One receipt with a larger cost would decide every index. Such a cost counts as not stated. */
const mostCost = 1_000_000;

/** The cost of a task in millionths of a dollar, as public figures count it; null where it is not stated. */
export function costMicros(dollars: number | undefined): number | null {
  return dollars === undefined || dollars > mostCost ? null : toMicros(dollars);
}

/**
 * An amount in millionths.
 * @param amount from 0 to 9,000,000,000, so that the result is a safe integer
 */
export function toMicros(amount: number): number {
  const micros = Math.round(amount * perDollar);
  // A decimal of 15 digits at most is the only one of its length that a double stands for, so the digits of the amount are these.
  const isExact = micros < 1e15 && micros / perDollar === amount;
  return isExact ? micros : Number(toUnits(amount, decimals));
}

/**
 * A number in units of its last decimal, rounded half to even from its decimal digits, without floating point in between.
 * @param amount from 0. Its digits are those of RFC 8785, which an entry holds.
 */
export function toUnits(amount: number, decimals: number): bigint {
  const [mantissa = '', exponent = '0'] = String(amount).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = BigInt(whole + fraction);
  const shift = decimals + Number(exponent) - fraction.length;
  return shift >= 0 ? digits * 10n ** BigInt(shift) : divideHalfEven(digits, 10n ** BigInt(-shift));
}

/**
 * The quotient rounded to the next whole number, and from the middle to an even one. Both signs are rounded alike.
 * @param divisor above 0
 */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  if (dividend < 0n) return -divideHalfEven(-dividend, divisor);
  const quotient = dividend / divisor;
  const twice = 2n * (dividend % divisor);
  const isUp = twice > divisor || (twice === divisor && quotient % 2n === 1n);
  return isUp ? quotient + 1n : quotient;
}

/** The largest whole number whose square is not above this one, by Newton's method. */
export function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  // It begins above the root: a power of two with at least half the binary digits.
  let root = 1n << BigInt((value.toString(16).length * 4 + 1) >> 1);
  for (let next = (root + value / root) / 2n; next < root; next = (root + value / root) / 2n) root = next;
  return root;
}

/** An exact quotient that is not reduced. The denominator is above 0. */
export interface Quotient {
  readonly part: bigint;
  readonly whole: bigint;
}

/**
 * The exact sum. Those with equal denominators are added first, and then halves of the list are, because adding one after
 * the other, and reducing each sum, would take a time that grows with the square of their number.
 */
export function sumOfRatios(ratios: Iterable<Quotient>): Quotient {
  const parts = new Map<bigint, bigint>();
  for (const { part, whole } of ratios) parts.set(whole, (parts.get(whole) ?? 0n) + part);
  return sumOfHalves([...parts].map(([whole, part]) => ({ part, whole })));
}

function sumOfHalves(ratios: readonly Quotient[]): Quotient {
  const [first, second] = ratios;
  if (first === undefined) return { part: 0n, whole: 1n };
  if (second === undefined) return first;
  const middle = ratios.length >> 1;
  const [a, b] = [sumOfHalves(ratios.slice(0, middle)), sumOfHalves(ratios.slice(middle))];
  return { part: a.part * b.whole + b.part * a.whole, whole: a.whole * b.whole };
}
