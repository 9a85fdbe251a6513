import { Figure } from '../numbers/figure.js';

/** A ratio in percent as a change in percent. The digits stay as they were rounded. */
export const minusHundred = ({ units, decimals }: Figure): Figure =>
  new Figure(units - 100n * 10n ** BigInt(decimals), decimals);
