import type { FeedValue } from '../../../src/domain/market/feeds/feed-text.js';
import { Figure } from '../../../src/domain/market/numbers/figure.js';

/** An exact fraction; the denominator is above 0. */
export type Ratio = readonly [bigint, bigint];

export const zero: Ratio = [0n, 1n];
export const whole = (value: number): Ratio => [BigInt(value), 1n];
export const add = (a: Ratio, b: Ratio): Ratio =>
  a[1] === b[1] ? [a[0] + b[0], a[1]] : [a[0] * b[1] + b[0] * a[1], a[1] * b[1]];
export const times = (a: Ratio, b: Ratio): Ratio => [a[0] * b[0], a[1] * b[1]];
export const minus = (a: Ratio, b: Ratio): Ratio => add(a, [-b[0], b[1]]);
export const sum = (values: readonly Ratio[]): Ratio => values.reduce(add, zero);

export function over(a: Ratio, b: Ratio): Ratio | null {
  if (b[0] === 0n) return null;
  return b[0] < 0n ? [-a[0] * b[1], -a[1] * b[0]] : [a[0] * b[1], a[1] * b[0]];
}

export function compare(a: Ratio, b: Ratio): number {
  const [difference] = minus(a, b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The exact value of the digits of a number. */
export function exact(value: number): Ratio {
  const [, mantissa = '0', exponent = '0'] = /^([\d.]+)(?:e(.+))?$/.exec(String(value)) ?? [];
  const [before = '', after = ''] = mantissa.split('.');
  const shift = Number(exponent) - after.length;
  const digits = BigInt(before + after);
  return shift >= 0 ? [digits * 10n ** BigInt(shift), 1n] : [digits, 10n ** BigInt(-shift)];
}

/** Half to even. */
export function rounded([n, d]: Ratio, decimals = 6): Ratio {
  const scale = 10n ** BigInt(decimals);
  const [size, sign] = n < 0n ? [-n * scale, -1n] : [n * scale, 1n];
  const below = size / d;
  const twice = (size % d) * 2n;
  const up = twice > d || (twice === d && below % 2n !== 0n);
  return [sign * (up ? below + 1n : below), scale];
}

/** A figure as tests compare it: all its digits after a mark, so that it differs from a count. */
export function shown(value: Ratio | null, decimals = 6): string | null {
  return value === null ? null : `~${new Figure(rounded(value, decimals)[0], decimals)}`;
}

/** A feed whose figures are texts of the same kind. */
export function plain(value: FeedValue): unknown {
  if (value instanceof Figure) return `~${value}`;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}

const buckets = new Map<number, number>();

/** k with 1.02^k ≤ max(1, ms) < 1.02^(k+1), by trying each. */
export function bucket(ms: number): number {
  const known = buckets.get(ms);
  if (known !== undefined) return known;
  let k = 0;
  for (let [power, unit] = [51n, 50n]; power <= BigInt(ms) * unit; power *= 51n, unit *= 50n) k += 1;
  buckets.set(ms, k);
  return k;
}

/** @param percent 100 q */
export function quantile(values: readonly number[], percent: number): number | null {
  const inOrder = values.map(bucket).sort((a, b) => a - b);
  const found = inOrder[Math.ceil((values.length * percent) / 100) - 1];
  return found === undefined ? null : Math.round(1.02 ** (found + 0.5));
}
