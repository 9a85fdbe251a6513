import Fraction from 'fraction.js';
import { quantileBucket } from '../latency.js';
import type { Cell, Cells } from './cells.js';
import { type Link, powerLink, rootLink } from './link.js';

/** The cells of one capability at the beginning and at the end of a link. */
type Pair = readonly [Cell, Cell];

type LinkMeasure = 'quantity' | 'price' | 'latency';

/** The link over the capabilities that are priced at both ends; null where there is none. */
export function linkBetween(measure: LinkMeasure, from: Cells, to: Cells): Link | null {
  const pairs: Pair[] = [];
  for (const [capability, before] of from.priced) {
    const after = to.priced.get(capability);
    if (after) pairs.push([before, after]);
  }
  if (pairs.length === 0) return null;
  return measure === 'latency' ? latencyLink(pairs) : fisherLink(measure, pairs, from.days.div(to.days));
}

/**
 * Fisher's index. With V the notional and Q the quantity of the whole time, p = V/Q and q is Q divided by the days, so
 * Σp₀q₀ = ΣV₀ / days₀, and so on. Prices do not depend on the lengths of the times.
 */
function fisherLink(measure: 'quantity' | 'price', pairs: readonly Pair[], lengths: Fraction): Link {
  const [before, after] = [new Fraction(sumOf(pairs, 0)), new Fraction(sumOf(pairs, 1))];
  const oldPrices = crossSum(pairs);
  const newPrices = crossSum(pairs.map(([a, b]) => [b, a]));
  return measure === 'quantity'
    ? rootLink(oldPrices.mul(after).div(before.mul(newPrices)).mul(lengths.mul(lengths)))
    : rootLink(newPrices.mul(after).div(before.mul(oldPrices)));
}

const sumOf = (pairs: readonly Pair[], end: 0 | 1): bigint => pairs.reduce((sum, pair) => sum + pair[end].notional, 0n);

/**
 * Σ V₀Q₁/Q₀ over the pairs. Terms with one denominator are added first, and then the halves of the rest: few receipts
 * leave few different denominators, and large ones meet late.
 */
function crossSum(pairs: readonly Pair[]): Fraction {
  const numerators = new Map<number, bigint>();
  for (const [{ notional, quantity }, other] of pairs) {
    numerators.set(quantity, (numerators.get(quantity) ?? 0n) + notional * BigInt(other.quantity));
  }
  return added([...numerators].map(([denominator, numerator]) => new Fraction(numerator, BigInt(denominator))));
}

function added(values: readonly Fraction[]): Fraction {
  if (values.length < 2) return values[0] ?? new Fraction(0);
  const middle = values.length >> 1;
  return added(values.slice(0, middle)).add(added(values.slice(middle)));
}

/** 1.02^x with x = Σ ½(s₀ + s₁)(k₁ − k₀): s the share of the notional of these capabilities, k the bucket of the p95. */
function latencyLink(pairs: readonly Pair[]): Link {
  const [before, after] = [sumOf(pairs, 0), sumOf(pairs, 1)];
  let exponent = 0n;
  for (const [a, b] of pairs) {
    exponent += (a.notional * after + b.notional * before) * BigInt(p95(b) - p95(a));
  }
  return powerLink(new Fraction(exponent, 2n * before * after));
}

/** A priced capability has a success, so it has a latency. */
const p95 = ({ latencies }: Cell): number => quantileBucket(latencies, 95) ?? 0;
