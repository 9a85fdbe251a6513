import { Decimal } from 'decimal.js';
import Fraction from 'fraction.js';
import { divideHalfEven, toUnits } from './exact.js';

/** A number of a feed with its exact decimal digits. A double could not hold sums of money with more than 15 digits. */
export class Figure {
  /**
   * @param units the number in units of its last decimal
   * @param decimals how many decimals it has
   */
  constructor(
    readonly units: bigint,
    readonly decimals: number,
  ) {}

  /** The nearest double, for answers whose numbers are short enough that a double prints the same digits. */
  toNumber(): number {
    return Number(this.toString());
  }

  /** All its digits as JSON spells them, without exponent and without zeros at the end. */
  toString(): string {
    const sign = this.units < 0n ? '-' : '';
    const digits = (this.units < 0n ? -this.units : this.units).toString().padStart(this.decimals + 1, '0');
    const whole = digits.slice(0, digits.length - this.decimals);
    const fraction = digits.slice(digits.length - this.decimals).replace(/0+$/, '');
    return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
  }
}

const figureDecimals = 6;

/** The figure of an exact value, rounded half to even once. */
export function rounded(value: Fraction, decimals = figureDecimals): Figure {
  const units = divideHalfEven(value.n * 10n ** BigInt(decimals), value.d);
  return new Figure(value.s < 0n ? -units : units, decimals);
}

/** An amount in millionths. */
export const money = (micros: bigint): Figure => new Figure(micros, figureDecimals);

/** Decimals with many more digits than figures have, for roots and long products. */
export const Precise = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_EVEN });

/** The figure of such a value, rounded half to even. */
export function roundedDecimal(value: Decimal, decimals = figureDecimals): Figure {
  const units = value.times(new Precise(10).pow(decimals)).toDecimalPlaces(0, Decimal.ROUND_HALF_EVEN);
  return new Figure(BigInt(units.toFixed(0)), decimals);
}

/** A whole number of units, such as tasks or millionths of a dollar. */
export type Count = number | bigint;

/** The exact quotient; null where the denominator is 0. */
export function ratio(part: Count, whole: Count): Fraction | null {
  return BigInt(whole) === 0n ? null : new Fraction(BigInt(part), BigInt(whole));
}

/** The figure of an exact value, or null without one. */
export const figureOf = (value: Fraction | null): Figure | null => (value === null ? null : rounded(value));

const unitsOfOne = 10n ** BigInt(figureDecimals);

/** `part / whole` with six decimals. The same as a rounded `ratio`, without its search for a divisor. @param whole from 0 */
export function rate(part: Count, whole: Count): Figure | null {
  const divisor = BigInt(whole);
  return divisor === 0n ? null : new Figure(divideHalfEven(BigInt(part) * unitsOfOne, divisor), figureDecimals);
}

/** `100 × part / whole`, a share in percent. */
export const percent = (part: Count, whole: Count): Figure | null => rate(100n * BigInt(part), whole);

/** `100 × (now / before − 1)`; null where one of them is null or `before` is 0. */
export function change(now: Fraction | null, before: Fraction | null): Fraction | null {
  if (now === null || before === null || before.n === 0n) return null;
  return now.div(before).sub(1).mul(100);
}

/** The Herfindahl–Hirschman index of these shares, from 0 to 10,000; null where their sum is 0. */
export function concentration(amounts: Iterable<bigint>): Figure | null {
  let [sum, squares] = [0n, 0n];
  for (const amount of amounts) {
    sum += amount;
    squares += amount * amount;
  }
  return rate(10_000n * squares, sum * sum);
}

/** The figure of a number that a receipt states; null where it states none. */
export const statedFigure = (value: number | undefined): Figure | null =>
  value === undefined ? null : figureAsStated(value);

/** Money and quantities have at most six decimals, so this is the very number. A target may have more and is rounded. */
export const figureAsStated = (value: number): Figure => new Figure(toUnits(value, figureDecimals), figureDecimals);
