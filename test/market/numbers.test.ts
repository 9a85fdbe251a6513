import Fraction from 'fraction.js';
import { describe, expect, it } from 'vitest';
import { bucketMs, latencyBucket, quantile, quantileBucket } from '../../src/domain/market/latency.js';
import { change, concentration, figureOf, percent, rate, ratio } from '../../src/domain/market/numbers/figure.js';
import { byCodePoint } from '../../src/domain/market/numbers/lists.js';
import { random } from './random.js';

const cases = 2000;

describe('the numbers of figures', () => {
  // @covers MARKET-NUMBERS
  it('are quotients rounded half to even once, and null where the denominator is 0', () => {
    const { whole } = random(3);
    for (let n = 0; n < cases; n += 1) {
      const [part, of] = [whole(10 ** (1 + whole(15))), whole(10 ** (1 + whole(15)))];
      expect(String(rate(part, of))).toBe(String(figureOf(ratio(part, of))));
      expect(String(rate(-part, of))).toBe(String(figureOf(ratio(-part, of))));
    }
    expect([rate(1, 0), percent(0, 0), ratio(1, 0)]).toEqual([null, null, null]);
    expect([rate(5, 10_000_000), rate(15, 10_000_000), rate(10n ** 24n, 1)].map(String)).toEqual([
      '0',
      '0.000002',
      '1000000000000000000000000',
    ]);
    expect([percent(1, 3), percent(1n, 8n)].map(String)).toEqual(['33.333333', '12.5']);
  });

  // @covers MARKET-NUMBERS
  it('are changes in percent of two values that are there', () => {
    const [one, two, none] = [new Fraction(1), new Fraction(2, 3), new Fraction(0)];
    const changes = [change(one, two), change(two, one), change(none, one), change(one, none), change(null, one)];
    expect([...changes, change(one, null)].map((value) => String(figureOf(value)))).toEqual([
      '50',
      '-33.333333',
      '-100',
      'null',
      'null',
      'null',
    ]);
  });

  // @covers MARKET-NUMBERS
  it('are the concentration of shares, from many equal ones to one alone', () => {
    const of = (...amounts: bigint[]) => String(concentration(amounts));
    expect([of(), of(0n, 0n), of(7n), of(7n, 0n), of(1n, 1n), of(1n, 1n, 1n)]).toEqual([
      'null',
      'null',
      '10000',
      '10000',
      '5000',
      '3333.333333',
    ]);
  });
});

describe('a quantile', () => {
  const countsOf = (latencies: readonly number[]) => {
    const counts = new Map<number, number>();
    for (const ms of latencies) counts.set(latencyBucket(ms), (counts.get(latencyBucket(ms)) ?? 0) + 1);
    return counts;
  };

  // @covers MARKET-QUANTILE
  it('is the bucket of the ⌈q·n⌉-th smallest of a sorted list', () => {
    const { whole } = random(4);
    for (let n = 0; n < cases / 4; n += 1) {
      const sorted = Array.from({ length: 1 + whole(60) }, () => whole(10 ** (1 + whole(8)))).sort((a, b) => a - b);
      for (const percents of [1, 50, 95, 100]) {
        const place = [...sorted.keys()].find((at) => 100 * (at + 1) >= percents * sorted.length) ?? 0;
        expect(quantileBucket(countsOf(sorted), percents)).toBe(latencyBucket(sorted[place] ?? 0));
      }
    }
    expect([quantile(new Map(), 50), quantileBucket(new Map(), 50)]).toEqual([null, null]);
  });

  // @covers MARKET-QUANTILE
  it('is exact below 50 ms and within 1 percent above', () => {
    for (let ms = 1; ms < 50; ms += 1) expect(quantile(countsOf([ms]), 95)).toBe(ms);
    for (let ms = 50; ms < 10 ** 14; ms = Math.ceil(ms * 1.013)) {
      expect(Math.abs((quantile(countsOf([ms]), 50) ?? 0) / ms - 1)).toBeLessThan(0.0101 + 0.5 / ms);
    }
    expect([0, 1].map((ms) => quantile(countsOf([ms]), 50))).toEqual([1, 1]);
  });

  // @covers MARKET-QUANTILE
  it('is printed as the whole number next to 1.02^(k+½), tried with whole numbers', () => {
    for (let k = 0; k < 1740; k += 7) {
      const ms = BigInt(bucketMs(k));
      // (ms − ½)² < 1.02^(2k+1) < (ms + ½)², times 4 · 50^(2k+1).
      const [power, unit] = [4n * 51n ** BigInt(2 * k + 1), 50n ** BigInt(2 * k + 1)];
      expect([(2n * ms - 1n) ** 2n * unit < power, power < (2n * ms + 1n) ** 2n * unit]).toEqual([true, true]);
    }
  });
});

describe('the order of strings', () => {
  // @covers MARKET-CODE-POINTS
  it('is that of their code points', () => {
    const { whole, pick } = random(5);
    const text = () =>
      Array.from({ length: whole(5) }, () =>
        pick(['a', 'B', '~', '\ud7ff', '\ue000', '\uff5e', '\u{10000}', '\u{1f600}']),
      ).join('');
    const points = (one: string) =>
      Array.from(one, (point) => (point.codePointAt(0) ?? 0).toString(16).padStart(6, '0')).join('');
    for (let n = 0; n < cases; n += 1) {
      const [a, b] = [text(), text()];
      const expected = points(a) < points(b) ? -1 : points(a) > points(b) ? 1 : 0;
      expect(Math.sign(byCodePoint(a, b))).toBe(expected);
    }
  });
});
