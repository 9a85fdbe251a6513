import { Decimal } from 'decimal.js';
import { Figure } from './figure.js';

/** Decimals with many more digits than figures have, for roots and long products. */
export const Precise = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_EVEN });

/** The figure of such a value, rounded half to even. */
export function roundedDecimal(value: Decimal, decimals = 6): Figure {
  const units = value.times(new Precise(10).pow(decimals)).toDecimalPlaces(0, Decimal.ROUND_HALF_EVEN);
  return new Figure(BigInt(units.toFixed(0)), decimals);
}
