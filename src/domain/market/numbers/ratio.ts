import Fraction from 'fraction.js';
import { Figure, rounded } from './figure.js';
import { divideHalfEven } from './round.js';

/** A whole number of units, such as tasks or millionths of a dollar. */
export type Count = number | bigint;

/** The exact quotient; null where the denominator is 0. */
export function ratio(part: Count, whole: Count): Fraction | null {
  return BigInt(whole) === 0n ? null : new Fraction(BigInt(part), BigInt(whole));
}

/** The figure of an exact value, or null without one. */
export const figureOf = (value: Fraction | null): Figure | null => (value === null ? null : rounded(value));

const decimals = 6;
const unitsOfOne = 10n ** BigInt(decimals);

/** `part / whole` with six decimals. The same as a rounded `ratio`, without its search for a divisor. @param whole from 0 */
export function rate(part: Count, whole: Count): Figure | null {
  const divisor = BigInt(whole);
  return divisor === 0n ? null : new Figure(divideHalfEven(BigInt(part) * unitsOfOne, divisor), decimals);
}

/** `100 × part / whole`, a share in percent. */
export const percent = (part: Count, whole: Count): Figure | null => rate(100n * BigInt(part), whole);

/** `100 × (now / before − 1)`; null where one of them is null or `before` is 0. */
export function change(now: Fraction | null, before: Fraction | null): Fraction | null {
  if (now === null || before === null || before.n === 0n) return null;
  return now.div(before).sub(1).mul(100);
}
