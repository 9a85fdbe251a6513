import Fraction from 'fraction.js';
import { Figure } from '../numbers/figure.js';

const decimals = 6;

/** The level of an index on its base day. */
export const firstLevel = new Figure(1_000_000_000n, decimals);

/** The level that a number of an entry states. @param level 0 or more, with at most six decimals */
export function readLevel(level: number): Figure {
  const [mantissa = '', exponent = '0'] = String(level).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = decimals + Number(exponent) - fraction.length;
  return new Figure(BigInt(whole + fraction) * 10n ** BigInt(shift), decimals);
}

/** The number with which an entry states a level. Beyond 9 billion it has the digits that a double has. */
export const numberOf = (level: Figure): number => Math.min(level.toNumber(), Number.MAX_VALUE);

/** The level as its entry states it: the next one is chained from this. */
export const printedLevel = (level: Figure): Figure => readLevel(numberOf(level));

export const exactOf = ({ units, decimals: places }: Figure): Fraction => new Fraction(units, 10n ** BigInt(places));

/** A ratio in percent as a change in percent. The digits stay as they were rounded. */
export const minusHundred = ({ units, decimals }: Figure): Figure =>
  new Figure(units - 100n * 10n ** BigInt(decimals), decimals);
