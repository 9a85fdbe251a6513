import { describe, expect, it } from 'vitest';
import { latencyBucket } from '../../src/domain/market/latency.js';
import { costMicros, toMicros } from '../../src/domain/market/numbers/exact.js';
import { rate } from '../../src/domain/market/numbers/figure.js';
import { roundedOnPaper } from '../market/on-paper.js';
import { random } from '../market/random.js';

const cases = 10_000;

describe('money in millionths', () => {
  // @covers FACT-COST
  it('is rounded half to even from the decimal digits of 10,000 random costs', () => {
    const { whole, pick } = random(1);
    for (let n = 0; n < cases; n += 1) {
      const digits = String(whole(10 ** (1 + whole(15))));
      const ties = `${whole(1_000_000)}.${String(whole(1_000_000)).padStart(6, '0')}5`;
      const spelled = pick([
        ties,
        `${digits}e-${whole(24)}`,
        `0.${digits}`,
        `${whole(1_000_000)}.${digits.slice(0, 10)}`,
      ]);
      const cost = Number(spelled);
      const expected = cost > 1_000_000 ? null : Number(roundedOnPaper(String(cost)));
      expect([spelled, costMicros(cost)]).toEqual([spelled, expected]);
    }
  });

  it('is exact for 10,000 random amounts of all sizes', () => {
    const { whole } = random(3);
    for (let n = 0; n < cases; n += 1) {
      const amount = whole(10 ** (1 + whole(10))) / 10 ** whole(8);
      expect([amount, toMicros(amount)]).toEqual([amount, Number(roundedOnPaper(String(amount)))]);
    }
  });

  it('is exact at the edges', () => {
    expect([0, 5e-7, 1.5e-6, 2.5e-6, 5.000001e-7, 5e-324].map(costMicros)).toEqual([0, 0, 2, 2, 1, 0]);
    expect([0.1, 0.0000005, 1e-6, 1.0000005, 1.0000015].map(costMicros)).toEqual([100000, 0, 1, 1000000, 1000002]);
    expect([1_000_000, 1_000_000.0000001, 1e21, undefined].map(costMicros)).toEqual([1e12, null, null, null]);
    expect([1_000_000_000, 999_999_999.999999].map(toMicros)).toEqual([1e15, 999_999_999_999_999]);
  });
});

describe('the bucket of a latency', () => {
  const isOf = (ms: number, k: number): boolean => {
    const value = BigInt(Math.max(1, ms));
    return 102n ** BigInt(k) <= value * 100n ** BigInt(k) && value * 100n ** BigInt(k + 1) < 102n ** BigInt(k + 1);
  };

  // @covers FACT-LATENCY
  it('is exact around every edge', () => {
    let edges = 0;
    for (let [power, unit] = [1n, 1n]; power < 10n ** 15n * unit; power *= 102n, unit *= 100n) {
      const edge = Number(power / unit);
      for (const ms of [edge - 1, edge, edge + 1, edge + 2]) {
        if (ms >= 0) expect([ms, isOf(ms, latencyBucket(ms))]).toEqual([ms, true]);
      }
      edges += 1;
    }
    expect(edges).toBeGreaterThan(1700);
    expect([0, 1, 2, 3, 1000, 60_000].map(latencyBucket)).toEqual([0, 0, 35, 55, 348, 555]);
  });

  it('is exact for 10,000 random latencies', () => {
    const { whole } = random(2);
    for (let n = 0; n < cases; n += 1) {
      const ms = whole(10 ** (1 + whole(14)));
      expect([ms, isOf(ms, latencyBucket(ms))]).toEqual([ms, true]);
    }
  });
});

describe('a rate', () => {
  it('has six decimals, rounded half to even once, and is null of nothing', () => {
    const numberOf = (part: number, whole: number) => rate(part, whole)?.toNumber() ?? null;
    expect([numberOf(1, 3), numberOf(2, 3), numberOf(0, 7), numberOf(7, 7), numberOf(0, 0)]).toEqual([
      0.333333,
      0.666667,
      0,
      1,
      null,
    ]);
    expect([numberOf(1, 2_000_000), numberOf(3, 2_000_000)]).toEqual([0, 0.000002]);
    expect(JSON.stringify(numberOf(1, 999_999))).toBe('0.000001');
  });
});
