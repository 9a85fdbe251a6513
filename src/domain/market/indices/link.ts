import { Decimal } from 'decimal.js';
import Fraction from 'fraction.js';
import { squareRoot } from '../numbers/exact.js';
import { Figure, rounded } from '../numbers/figure.js';

/** The factor of an index between two moments, which is irrational as a rule. */
export interface Link {
  /** `value × link`, rounded half to even to six decimals. @param value 0 or more */
  times(value: Fraction): Figure;
  inverse(): Link;
}

const decimals = 6;
const unit = 10n ** BigInt(decimals);

/** The square root of an exact value above 0. Products are rounded exactly, because whole numbers are compared with squares. */
export function rootLink(square: Fraction): Link {
  return {
    times(value) {
      const exact = value.mul(value).mul(square);
      return new Figure(roundedRoot(exact.n * unit * unit, exact.d), decimals);
    },
    inverse: () => rootLink(square.inverse()),
  };
}

/** The root of `dividend / divisor`, rounded half to even to a whole number. */
function roundedRoot(dividend: bigint, divisor: bigint): bigint {
  const below = squareRoot(dividend / divisor);
  const middle = 2n * below + 1n;
  // The root is above the middle of two whole numbers when four times the radicand is above the square of twice the middle.
  const difference = 4n * dividend - middle * middle * divisor;
  const isUp = difference > 0n || (difference === 0n && below % 2n === 1n);
  return isUp ? below + 1n : below;
}

const Precise = Decimal.clone({ precision: 80, rounding: Decimal.ROUND_HALF_EVEN, toExpPos: 1000, toExpNeg: -1000 });

/** 1.02 to the power of an exact value, worked out with 80 digits. */
export function powerLink(exponent: Fraction): Link {
  return {
    times(value) {
      if (exponent.n === 0n) return rounded(value);
      const power = new Precise('1.02').pow(precise(exponent));
      const units = precise(value).mul(power).mul(unit.toString()).toDecimalPlaces(0);
      return new Figure(BigInt(units.toFixed(0)), decimals);
    },
    inverse: () => powerLink(exponent.neg()),
  };
}

const precise = ({ s, n, d }: Fraction): Decimal => new Precise((s * n).toString()).div(d.toString());

/** Nothing changes. */
export const unchanged: Link = rootLink(new Fraction(1));
