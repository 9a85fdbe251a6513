import type Fraction from 'fraction.js';
import { divideHalfEven } from './round.js';

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
