import { divideHalfEven } from './numbers/round.js';

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
