import type { Fact } from '../../src/domain/market/fact.js';

/**
 * The levels of closed days as the definition says, directly from receipts and in floating point: nothing is stored between
 * days but levels, base days and last priced days, and no code of the service is used.
 */

const day = 86_400_000;
const hour = 3_600_000;

interface Cell {
  v: number;
  q: number;
  k: number;
  sector: string;
}

export type Levels = Record<string, number | null>;

const ids: readonly (readonly [string, 'quantity' | 'price' | 'latency', string | null])[] = [
  ['CFX', 'quantity', null],
  ['CFX.BUILD', 'quantity', 'build'],
  ['CFX.KNOW', 'quantity', 'know'],
  ['CFX.SERVE', 'quantity', 'serve'],
  ['CFX.TRANSACT', 'quantity', 'transact'],
  ['CFX.COST', 'price', null],
  ['CFX.LAT', 'latency', null],
];

const isRefusal = ({ status }: Fact) => status === 'tool_denied' || status === 'policy_blocked';
const recordedOrder = (a: Fact, b: Fact) => a.recorded_ms - b.recorded_ms || (a.hash < b.hash ? -1 : 1);

export interface ReferenceDay {
  readonly day: number;
  readonly levels: Levels;
  readonly bases: Readonly<Record<string, number | null>>;
}

export interface Reference {
  readonly days: readonly ReferenceDay[];
  /** The values of the chained indices at a moment after the last close, from receipts recorded by then. */
  now(t: number): Levels;
  drift(): Levels;
}

/** The levels up to a last day. */
export function reference(facts: readonly Fact[], last: number): Reference {
  const dayOf = (fact: Fact) => Math.floor(fact.ended_ms / day);
  const closes = (d: number) => (d + 1) * day + hour;
  const onTime = facts.filter((fact) => fact.recorded_ms < closes(dayOf(fact)));
  const first = Math.min(...onTime.map(dayOf));
  const sectorAt = (capability: string, before: number) =>
    facts
      .filter((fact) => fact.capability === capability && fact.sector !== null && fact.recorded_ms < before)
      .sort(recordedOrder)[0]?.sector ?? 'know';
  const cellsOf = (d: number, base: number, sector: string | null): Map<string, Cell> => {
    const from = Math.max(d - 6, base);
    const found = new Map<string, Cell>();
    const of = onTime.filter((fact) => fact.capability !== null && dayOf(fact) >= from && dayOf(fact) <= d);
    for (const capability of new Set(of.map((fact) => fact.capability ?? ''))) {
      const own = of.filter((fact) => fact.capability === capability);
      const v = own.reduce((sum, { cost_micros }) => sum + (cost_micros ?? 0), 0) / 1e6;
      const q = own.filter(({ status, cost_micros }) => status === 'success' && cost_micros !== null).length;
      if (v === 0 || q === 0) continue;
      const buckets = own.filter((fact) => !isRefusal(fact)).map((fact) => fact.latency_bucket);
      const k = buckets.sort((a, b) => a - b)[Math.ceil(0.95 * buckets.length) - 1] ?? 0;
      const cell = { v: v / (d - from + 1), q: q / (d - from + 1), k, sector: sectorAt(capability, closes(d)) };
      if (sector === null || cell.sector === sector) found.set(capability, cell);
    }
    return found;
  };
  const states = new Map<string, { base: number; priced: number; level: number }>();
  const pricedDays = new Map<string, { day: number; level: number }[]>();
  let reliability: number | null = null;
  let baseRate: number | null = null;
  let concentration: number | null = null;
  let reliabilityBase: number | null = null;
  const result: ReferenceDay[] = [];
  for (let d = first; d <= last; d += 1) {
    const levels: Levels = {};
    const bases: Record<string, number | null> = {};
    for (const [id, measure, sector] of ids) {
      const state = states.get(id);
      const cells = cellsOf(d, state?.base ?? d, sector);
      if (cells.size > 0) {
        if (!state) states.set(id, { base: d, priced: d, level: 1000 });
        else {
          const before = cellsOf(state.priced, state.base, sector);
          state.level = round6(state.level * link(measure, before, cells));
          state.priced = d;
        }
        const level = states.get(id)?.level ?? 0;
        pricedDays.set(id, [...(pricedDays.get(id) ?? []), { day: d, level }]);
      }
      levels[id] = states.get(id)?.level ?? null;
      bases[id] = states.get(id)?.base ?? null;
    }
    const today = onTime.filter((fact) => dayOf(fact) === d);
    const successes = today.filter(({ status }) => status === 'success').length;
    const tried = today.filter((fact) => !isRefusal(fact)).length;
    if (baseRate === null && successes > 0) [baseRate, reliabilityBase] = [successes / tried, d];
    if (tried > 0 && baseRate !== null) reliability = round6((1000 * successes) / tried / baseRate);
    const vendors = new Map<string, number>();
    for (const { vendor, cost_micros } of today) vendors.set(vendor, (vendors.get(vendor) ?? 0) + (cost_micros ?? 0));
    const sum = [...vendors.values()].reduce((a, b) => a + b, 0);
    if (sum > 0) concentration = round6(10_000 * [...vendors.values()].reduce((a, b) => a + (b / sum) ** 2, 0));
    levels['CFX.REL'] = reliability;
    levels['CFX.HHI'] = concentration;
    bases['CFX.REL'] = reliabilityBase;
    bases['CFX.HHI'] = null;
    result.push({ day: d, levels, bases });
  }
  const now = (t: number): Levels => {
    const values: Levels = {};
    for (const [id, measure, sector] of ids) {
      const state = states.get(id);
      if (!state) continue;
      const start = Math.max(t - 7 * day, state.base * day);
      const isInside = ({ ended_ms, recorded_ms }: Fact) =>
        recorded_ms <= t && ended_ms <= t && (start === state.base * day ? ended_ms >= start : ended_ms > start);
      const to = new Map<string, Cell>();
      for (const capability of new Set(facts.map((fact) => fact.capability ?? ''))) {
        const own = facts.filter((fact) => fact.capability === capability && isInside(fact));
        const v = own.reduce((sum, { cost_micros }) => sum + (cost_micros ?? 0), 0) / 1e6;
        const q = own.filter(({ status, cost_micros }) => status === 'success' && cost_micros !== null).length;
        if (v === 0 || q === 0) continue;
        const buckets = own.filter((fact) => !isRefusal(fact)).map((fact) => fact.latency_bucket);
        const k = buckets.sort((a, b) => a - b)[Math.ceil(0.95 * buckets.length) - 1] ?? 0;
        const length = (t - start) / day;
        const cell = { v: v / length, q: q / length, k, sector: sectorAt(capability, t + 1) };
        if (sector === null || cell.sector === sector) to.set(capability, cell);
      }
      values[id] = state.level * link(measure, cellsOf(state.priced, state.base, sector), to);
    }
    return values;
  };
  const drift = (): Levels => {
    const values: Levels = {};
    for (const [id, measure, sector] of ids) {
      const priced = pricedDays.get(id) ?? [];
      const [end, base] = [priced.at(-1), priced[0]];
      const begin = priced.filter((one) => end && one.day <= end.day - 30).at(-1);
      if (!end || !begin || !base) continue;
      const [from, to] = [cellsOf(begin.day, base.day, sector), cellsOf(end.day, base.day, sector)];
      if (![...from.keys()].some((name) => to.has(name))) continue;
      values[id] = 100 * (end.level / begin.level / link(measure, from, to) - 1);
    }
    return values;
  };
  return { days: result, now, drift };
}

const round6 = (value: number): number => Math.round(value * 1e6) / 1e6;

/** Fisher's links and the link of latency, as the definition writes them. */
function link(measure: 'quantity' | 'price' | 'latency', from: Map<string, Cell>, to: Map<string, Cell>): number {
  const both = [...from].flatMap(([capability, a]) => {
    const b = to.get(capability);
    return b ? [[a, b] as const] : [];
  });
  if (both.length === 0) return 1;
  const sum = (term: (a: Cell, b: Cell) => number) => both.reduce((all, [a, b]) => all + term(a, b), 0);
  const p = ({ v, q }: Cell) => v / q;
  const p0q0 = sum((a) => a.v);
  const p1q1 = sum((_, b) => b.v);
  const p0q1 = sum((a, b) => p(a) * b.q);
  const p1q0 = sum((a, b) => p(b) * a.q);
  if (measure === 'quantity') return Math.sqrt((p0q1 / p0q0) * (p1q1 / p1q0));
  if (measure === 'price') return Math.sqrt((p1q0 / p0q0) * (p1q1 / p0q1));
  return 1.02 ** sum((a, b) => 0.5 * (a.v / p0q0 + b.v / p1q1) * (b.k - a.k));
}
