import { describe, expect, it } from 'vitest';
import { indexIds } from '../../contracts/index-ids.js';
import type { Fact } from '../../src/domain/market/fact.js';
import { feedText } from '../../src/domain/market/feeds/feed-text.js';
import { noCloses, openCloses } from '../../src/domain/market/indices/closes.js';
import { closingOf, dayText, startOf } from '../../src/domain/market/indices/days.js';
import { indexRows } from '../../src/domain/market/indices/rows.js';
import { createMarket } from '../../src/domain/market/state/market.js';
import { random } from '../market/random.js';
import { anyDay, factOf } from './economy.js';
import { closesOf } from './on-paper.js';
import { reference } from './reference.js';

const first = 20_000;

/** The rows at a moment after the close of a day, as the feed prints them. */
function rowsAt(facts: readonly Fact[], last: number, t: number) {
  const known = facts.filter(({ recorded_ms }) => recorded_ms <= t);
  const market = createMarket(t);
  market.add(known.map((fact) => ({ task: { ...fact, run: null }, statements: [], invoice: null })));
  const closes = facts.length === 0 ? [] : closesOf(facts, last);
  const stored = { days: closes.map(({ close }) => close), files: closes.map(({ file }) => file) };
  const { rows, composite, sectorChange } = indexRows(market, openCloses(stored), t);
  return { rows: JSON.parse(feedText(rows)), composite, sectorChange };
}

describe('the rows of indices', () => {
  // @covers INDEX-WITHIN-DAY INDEX-DRIFT
  it('are those of the definition within a day, in the first week and later, with late receipts', () => {
    for (const [seed, length] of [
      [1, 3],
      [2, 6],
      [3, 9],
      [4, 50],
      [5, 70],
    ] as const) {
      const chance = random(seed);
      const facts = Array.from({ length: length + 2 }, (_, at) => anyDay(chance, first + at)).flat();
      const last = first + length;
      const t = closingOf(last) + 6 * 3_600_000 + 60_000 * chance.whole(600);
      const { now, drift } = reference(facts, last);
      const { rows } = rowsAt(facts, last, t);
      expect(rows.map(({ id }: { id: string }) => id)).toEqual(indexIds);
      const [values, drifts] = [now(t), drift()];
      for (const { id, value, change_pct, drift_pct, history } of rows) {
        if (id === 'CFX.REL' || id === 'CFX.HHI') continue;
        const expected = values[id] ?? null;
        if (expected === null) expect([id, value, change_pct, history]).toEqual([id, null, null, []]);
        else {
          expect(Math.abs(value - expected), `${seed} ${id}`).toBeLessThan(1e-7 * Math.max(10, expected));
          const close = history.at(-1).value;
          expect(change_pct).toBeCloseTo(100 * (expected / close - 1), 5);
        }
        if (drifts[id] === undefined) expect([seed, id, drift_pct]).toEqual([seed, id, null]);
        else expect(drift_pct).toBeCloseTo(drifts[id] ?? 0, 5);
      }
    }
  });

  // @covers INDEX-WITHIN-DAY INDEX-ROWS
  it('give the figure of 24 hours for reliability and concentration, or the last close without data', () => {
    const done = (day: number, given: Partial<Fact> = {}) => factOf({ ended_ms: startOf(day) + 5e7, ...given });
    const facts = [
      ...[0, 1, 2].map(() => done(first)),
      done(first, { status: 'error', cost_micros: null }),
      done(first + 1, { vendor: 'Zeta' }),
      done(first + 1, { status: 'error', capability: null, cost_micros: 3_000_000 }),
    ];
    const row = (at: ReturnType<typeof rowsAt>, id: string) => at.rows.find((one: { id: string }) => one.id === id);
    const now = rowsAt(facts, first, startOf(first + 1) + 7e7);
    // 1 of 2 now, 3 of 4 on the base day; notionals of 1 and 3 dollars.
    expect(row(now, 'CFX.REL')).toMatchObject({ value: 666.666667, change_pct: -33.333333, base_day: dayText(first) });
    expect(row(now, 'CFX.HHI')).toMatchObject({ value: 6250, change_pct: -37.5, base_day: null, band: 'high' });
    const later = rowsAt(facts, first + 1, closingOf(first + 9));
    expect(row(later, 'CFX.REL')).toMatchObject({ value: 666.666667, change_pct: 0, drift_pct: null });
    expect(row(later, 'CFX.HHI')).toMatchObject({
      value: 6250,
      change_pct: 0,
      receipt_id: `close of ${dayText(first + 1)}`,
    });
    expect(row(later, 'CFX.HHI').history).toEqual([
      { day: dayText(first), value: 10_000 },
      { day: dayText(first + 1), value: 6250 },
    ]);
    expect(Object.keys(row(later, 'CFX'))).not.toContain('band');
    // Nothing is priced in the trailing week, so the value is that of the last close.
    expect(row(later, 'CFX')).toMatchObject({ value: row(later, 'CFX').history.at(-1).value, change_pct: 0 });
    expect(String(later.composite.value)).toBe(String(row(later, 'CFX').value));
    expect(String(later.sectorChange('know'))).toBe('0');
    expect(later.sectorChange('build')).toBe(null);
  });

  it('name the band of concentration, with 1000 and 1800 in the moderate one', () => {
    const bandOf = (notionals: readonly number[]) => {
      const facts = notionals.map((cost, n) =>
        factOf({ ended_ms: startOf(first) + 1000, vendor: `vendor ${n}`, cost_micros: cost }),
      );
      const { value, band } = rowsAt(facts, first, closingOf(first) + 60_000).rows.at(-1);
      return [value, band];
    };
    expect(bandOf(Array.from({ length: 11 }, () => 1))).toEqual([909.090909, 'low']);
    expect(bandOf(Array.from({ length: 10 }, () => 1))).toEqual([1000, 'moderate']);
    expect(bandOf([2, 2, 2, 2, 1, 1])).toEqual([1800, 'moderate']);
    expect(bandOf([2, 2, 2, 2, 2])).toEqual([2000, 'high']);
  });

  // @covers INDEX-ROWS
  it('are nine rows without figures before the first close, and have 30 days of history later', () => {
    const { rows } = rowsAt([], first, startOf(first + 2));
    const empty = { value: null, change_pct: null, base_day: null, drift_pct: null, history: [], receipt_id: null };
    expect(rows).toHaveLength(9);
    for (const row of rows) expect(row).toMatchObject(empty);
    expect(rows.at(-1)).toMatchObject({ name: 'Concentration', kind: 'factor', band: null });
    const daily = Array.from({ length: 40 }, (_, at) => factOf({ ended_ms: startOf(first + at) + 1000 }));
    const [composite] = rowsAt(daily, first + 39, closingOf(first + 39) + 60_000).rows;
    expect(composite.history).toHaveLength(30);
    expect([composite.history[0].day, composite.drift_pct]).toEqual([dayText(first + 10), 0]);
    expect(openCloses(noCloses).last).toBe(null);
  });
});
