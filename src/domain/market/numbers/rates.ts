import type Fraction from 'fraction.js';
import type { Sums } from '../state/sums.js';
import type { Figure } from './figure.js';
import { rate, ratio } from './ratio.js';

/** Successes among successes and failures. Refusals are neither. */
export const successRate = ({ successes, failures }: Sums): Figure | null => rate(successes, successes + failures);

export const refusalRate = ({ refusals, tasks }: Sums): Figure | null => rate(refusals, tasks);

export const violationRate = ({ violated, tasks }: Sums): Figure | null => rate(violated, tasks);

/** Dollars for one success that states a cost, exactly. Failures are paid for too. */
export const price = (sums: Sums): Fraction | null => ratio(sums.notional, microsOf(sums));

/** The price as it is printed. */
export const priceUsd = (sums: Sums): Figure | null => rate(sums.notional, microsOf(sums));

const microsOf = ({ quantity }: Sums): bigint => BigInt(quantity) * 1_000_000n;

/** The Herfindahl–Hirschman index of these shares, from 0 to 10,000; null where their sum is 0. */
export function concentration(amounts: Iterable<bigint>): Figure | null {
  let [sum, squares] = [0n, 0n];
  for (const amount of amounts) {
    sum += amount;
    squares += amount * amount;
  }
  return rate(10_000n * squares, sum * sum);
}
