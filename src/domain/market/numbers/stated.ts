import { toUnits } from '../exact.js';
import { Figure } from './figure.js';

const decimals = 6;

/** The figure of a number that a receipt states; null where it states none. */
export const statedFigure = (value: number | undefined): Figure | null =>
  value === undefined ? null : figureAsStated(value);

/** Money and quantities have at most six decimals, so this is the very number. A target may have more and is rounded. */
export const figureAsStated = (value: number): Figure => new Figure(toUnits(value, decimals), decimals);
