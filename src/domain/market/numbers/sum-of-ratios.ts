/** An exact quotient that is not reduced. The denominator is above 0. */
export interface Quotient {
  readonly part: bigint;
  readonly whole: bigint;
}

/**
 * The exact sum. Those with equal denominators are added first, and then halves of the list are, because adding one after
 * the other, and reducing each sum, would take a time that grows with the square of their number.
 */
export function sumOfRatios(ratios: Iterable<Quotient>): Quotient {
  const parts = new Map<bigint, bigint>();
  for (const { part, whole } of ratios) parts.set(whole, (parts.get(whole) ?? 0n) + part);
  return sumOfHalves([...parts].map(([whole, part]) => ({ part, whole })));
}

function sumOfHalves(ratios: readonly Quotient[]): Quotient {
  const [first, second] = ratios;
  if (first === undefined) return { part: 0n, whole: 1n };
  if (second === undefined) return first;
  const middle = ratios.length >> 1;
  const [a, b] = [sumOfHalves(ratios.slice(0, middle)), sumOfHalves(ratios.slice(middle))];
  return { part: a.part * b.whole + b.part * a.whole, whole: a.whole * b.whole };
}
