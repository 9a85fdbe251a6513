import Fraction from 'fraction.js';
import { describe, expect, it } from 'vitest';
import { indexIds } from '../../../contracts/index-ids.js';
import { sevenDays, singleDays, stationary } from '../../../ops/bench/stationary.js';
import type { Fact } from '../../../src/domain/market/fact.js';
import type { Cells } from '../../../src/domain/market/indices/cells.js';
import { openCloses, type StoredCloses } from '../../../src/domain/market/indices/closes.js';
import { closingOf, readDay, startOf } from '../../../src/domain/market/indices/days.js';
import { rootLink } from '../../../src/domain/market/indices/link.js';
import { linkBetween } from '../../../src/domain/market/indices/links.js';
import { neededFiles } from '../../../src/domain/market/indices/needed.js';
import { anyDay, factOf } from '../../indices/economy.js';
import { type Closed, closesOf } from '../../indices/on-paper.js';
import { reference } from '../../indices/reference.js';
import { random } from '../../market/random.js';
import { repeats } from '../../support/repeats.js';

const first = 20_000;
const days = 45;

const economy = (seed: number, length = days): Fact[] => {
  const chance = random(seed);
  return Array.from({ length }, (_, at) => anyDay(chance, first + at)).flat();
};

const storedOf = (closes: readonly Closed[], wanted: ReadonlySet<number>): StoredCloses => ({
  days: closes.map(({ close }) => close),
  files: closes.flatMap(({ file, close }) => (wanted.has(close.day) ? [file] : [])),
});

const levelsOf = (facts: readonly Fact[], last: number) => closesOf(facts, last).map(({ close }) => close.levels);

const done = (day: number, given: Partial<Fact> = {}): Fact => factOf({ ended_ms: startOf(day) + 1000, ...given });

describe('the levels of closed days', () => {
  // @covers INDEX-CELLS INDEX-LINK INDEX-BASE INDEX-REPEAT INDEX-OF-THE-DAY INDEX-SECTOR
  it('are those of the definition, worked out another way', () => {
    for (let seed = 0; seed < repeats('ECONOMIES') / 4; seed += 1) {
      const facts = economy(seed);
      const { days: expectedDays } = reference(facts, first + days);
      const closes = closesOf(facts, first + days);
      expect(closes.map(({ close }) => close.day)).toEqual(expectedDays.map(({ day }) => day));
      for (const [at, { close, chain }] of closes.entries()) {
        for (const id of indexIds) {
          const expected = expectedDays[at]?.levels[id] ?? null;
          const level = close.levels[id] ?? null;
          if (expected === null || level === null) expect([seed, at, id, level]).toEqual([seed, at, id, expected]);
          else expect(Math.abs(level - expected), `${seed} ${at} ${id}`).toBeLessThan(1e-7 * Math.max(10, expected));
          expect(chain.indices.get(id)?.baseDay ?? null).toBe(expectedDays[at]?.bases[id] ?? null);
        }
      }
    }
  });

  // @covers INDEX-FISHER
  it('have links whose product is exactly the change of the notional of the capabilities on both days', () => {
    const { whole, chance } = random(3);
    const cells = (length: number): Cells => ({
      days: new Fraction(length),
      priced: new Map(
        Array.from({ length: 9 }, (_, n) => {
          const cell = {
            notional: BigInt(1 + whole(1e9)),
            quantity: 1 + whole(999),
            sector: 'know',
            latencies: new Map(),
          };
          return [`capability-${n}`, cell] as const;
        }).filter(() => chance(0.7)),
      ),
    });
    for (let tries = 0; tries < 50; tries += 1) {
      const [from, to] = [cells(1 + whole(7)), cells(7)];
      const both = [...from.priced.keys()].filter((name) => to.priced.has(name));
      const sum = ({ priced, days: length }: Cells) =>
        new Fraction(both.reduce((all, name) => all + (priced.get(name)?.notional ?? 0n), 0n)).div(length);
      const [quantity, price] = [linkBetween('quantity', from, to), linkBetween('price', from, to)];
      if (both.length === 0) expect([quantity, price]).toEqual([null, null]);
      else {
        // Each link is a root, so their product is exact when it is squared: one of them is measured against the other.
        const ratio = sum(to).div(sum(from));
        const scale = new Fraction(10n ** 30n);
        expect(quantity?.times(scale)).toEqual(price?.inverse().times(scale.mul(ratio)));
      }
    }
  });

  it('round a root exactly, and give exact ones for squares', () => {
    expect(rootLink(new Fraction(4, 9)).times(new Fraction(3)).toString()).toBe('2');
    // 0.0000005 is in the middle of two figures, and 0.0000015 too: both become even.
    expect(rootLink(new Fraction(1, 4)).times(new Fraction(1, 1_000_000)).toString()).toBe('0');
    expect(rootLink(new Fraction(9, 4)).times(new Fraction(1, 1_000_000)).toString()).toBe('0.000002');
    expect(rootLink(new Fraction(2)).times(new Fraction(1000)).toString()).toBe('1414.213562');
    expect(rootLink(new Fraction(0)).times(new Fraction(5)).toString()).toBe('0');
  });

  // @covers INDEX-LATE INDEX-ORDER
  it('depend on neither the order in which receipts arrive nor on late ones', () => {
    const facts = economy(11, 20);
    const expected = closesOf(facts, first + 20);
    const chance = random(1);
    const shuffled = [...facts].sort(() => (chance.chance(0.5) ? 1 : -1));
    const onTime = shuffled.filter(
      ({ recorded_ms, ended_ms }) => recorded_ms < closingOf(Math.floor(ended_ms / 86_400_000)),
    );
    expect(closesOf(shuffled, first + 20)).toEqual(expected);
    // Late receipts name sectors too, which count from the moment at which they are recorded.
    const late = done(first, {
      capability: 'search',
      cost_micros: 9e11,
      recorded_ms: closingOf(first + 30),
      sector: 'build',
    });
    expect(closesOf([...facts, late], first + 20)).toEqual(expected);
    expect(levelsOf(onTime, first + 20).length).toBe(expected.length);
  });

  // @covers INDEX-BASE INDEX-REPEAT
  it('begin with 1000, repeat over days without anything, and continue after a standstill', () => {
    const facts = [done(first), ...[0, 1].map(() => done(first + 30)), done(first + 31, { capability: 'other' })];
    const levels = levelsOf(facts, first + 32);
    expect(levels[0]).toEqual({
      CFX: 1000,
      'CFX.BUILD': null,
      'CFX.KNOW': 1000,
      'CFX.SERVE': null,
      'CFX.TRANSACT': null,
      'CFX.COST': 1000,
      'CFX.REL': 1000,
      'CFX.LAT': 1000,
      'CFX.HHI': 10_000,
    });
    // Seven days are in the cells of the last of them; then nothing is priced, and the level stays.
    expect(levels[6]?.CFX).toBeCloseTo(142.857, 2);
    expect(levels.slice(7, 30).every(({ CFX }) => CFX === levels[6]?.CFX)).toBe(true);
    expect(levels[30]?.CFX).toBeCloseTo(285.714, 2);
    expect(levels.length).toBe(33);
  });

  it('are 1000 forever in an economy of one capability that does the same each day, and null without costs', () => {
    const same = Array.from({ length: 12 }, (_, at) => done(first + at));
    expect(
      levelsOf(same, first + 11).every(
        ({ CFX, 'CFX.COST': cost, 'CFX.LAT': lat }) => CFX === 1000 && cost === 1000 && lat === 1000,
      ),
    ).toBe(true);
    const free = same.map((fact) => ({ ...fact, cost_micros: 0 }));
    expect(levelsOf(free, first + 11).at(-1)).toMatchObject({
      CFX: null,
      'CFX.COST': null,
      'CFX.HHI': null,
      'CFX.REL': 1000,
    });
  });

  // @covers INDEX-SECTOR
  it('leave a capability that changes its sector out of both sub-indices on that link', () => {
    // The close of the first day, at one o'clock, must not see it.
    const named = done(first + 1, { sector: 'build', ended_ms: startOf(first + 1) + 7_200_000 });
    const levels = levelsOf([done(first), done(first), named, done(first + 2)], first + 2);
    expect(levels.map((one) => one['CFX.KNOW'])).toEqual([1000, 1000, 1000]);
    expect(levels.map((one) => one['CFX.BUILD'])).toEqual([null, 1000, 1000]);
    expect(levels[1]?.CFX).toBe(750);
  });

  it('can be continued from stored files, of which only few are needed', async () => {
    const facts = economy(5, 80);
    const closes = closesOf(facts, first + 80);
    for (const length of [1, 5, 8, 40, closes.length]) {
      const upTo = closes.slice(0, length);
      const last = upTo.at(-1);
      if (!last) throw new Error('there is no close');
      const { files, driftDays } = await neededFiles(last.close.day, async (wanted) =>
        upTo.flatMap(({ file, close }) => (wanted.includes(close.day) ? [file] : [])),
      );
      const needed = new Set(files.map(({ day }) => readDay(day)));
      const all = new Set(upTo.map(({ close }) => close.day));
      const opened = openCloses(storedOf(upTo, needed));
      expect(opened).toEqual(openCloses(storedOf(upTo, all)));
      expect(driftDays.every((day) => needed.has(day))).toBe(true);
      expect(files.length).toBeLessThan(110);
      for (const id of indexIds) {
        const [a, b] = [opened.chain.indices.get(id), last.chain.indices.get(id)];
        expect({ ...a, cells: null }).toEqual({ ...b, cells: null });
        expect(new Map([...(a?.cells?.priced ?? [])].sort())).toEqual(new Map([...(b?.cells?.priced ?? [])].sort()));
      }
      expect(opened.chain.baseRate).toEqual(last.chain.baseRate);
    }
  });
});

it('the composite of a stationary economy stays nearer to 1000 with cells of seven days than with those of one', () => {
  const economies = Array.from({ length: 6 }, (_, seed) => stationary(seed + 1));
  const spread = (of: typeof sevenDays) => {
    const levels = economies.map(of);
    return Math.max(...levels) / Math.min(...levels);
  };
  expect(spread(sevenDays)).toBeLessThan(spread(singleDays) * 0.9);
});
