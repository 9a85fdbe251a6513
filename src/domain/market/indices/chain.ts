import Fraction from 'fraction.js';
import type { IndexId } from '../../../../contracts/index-ids.js';
import { type Figure, ratio, rounded } from '../numbers/figure.js';
import { type CellSums, type Cells, isPriced, ofSector, total } from './cells.js';
import type { DayCounts, DayFacts } from './day-facts.js';
import { type IndexDefinition, indexDefinitions, isChained } from './definitions.js';
import { exactOf, firstLevel, printedLevel } from './level.js';
import { type Link, unchanged } from './link.js';
import { linkBetween } from './links.js';

/** The number of closed days that cells are made of at most. */
export const cellDays = 7;

/** An index after a close. */
export interface IndexState {
  /** Null before its base day. */
  readonly level: Figure | null;
  readonly baseDay: number | null;
  /** The last day with a priced capability of the index, and its cells. Null for an index that is not chained. */
  readonly lastPriced: number | null;
  readonly cells: Cells | null;
}

/** All that the next close depends on, besides the facts of its day. */
export interface Chain {
  /** The last closed day; null before the first close. */
  readonly day: number | null;
  readonly indices: ReadonlyMap<IndexId, IndexState>;
  /** The facts of the last closed days, oldest first: as many as the cells of the next day may need. */
  readonly recent: readonly DayFacts[];
  /** The success rate of the base day of the index of reliability. */
  readonly baseRate: Fraction | null;
}

export const noIndex: IndexState = { level: null, baseDay: null, lastPriced: null, cells: null };

/** Before the first close. */
export const noChain: Chain = { day: null, indices: new Map(), recent: [], baseRate: null };

/**
 * The indices after the next day has closed.
 * @param sectors the sector of each capability of the last seven days at this close
 */
export function advance(chain: Chain, facts: DayFacts, sectors: ReadonlyMap<string, string>): Chain {
  const days = [...chain.recent, facts];
  const cells = cellsByBase(days, sectors);
  const baseRate = chain.baseRate ?? positive(successRateOf(facts.total));
  const indices = new Map<IndexId, IndexState>();
  for (const definition of indexDefinitions) {
    const before = chain.indices.get(definition.id) ?? noIndex;
    const after = isChained(definition)
      ? chained(definition, before, facts.day, ofSector(cells(before.baseDay ?? facts.day), definition.sector))
      : ofTheDay(definition, before, facts, baseRate);
    indices.set(definition.id, after);
  }
  return { day: facts.day, indices, recent: days.slice(1 - cellDays), baseRate };
}

/** The cells of the last of these days for an index with a base day; those of equal days are made once. */
function cellsByBase(days: readonly DayFacts[], sectors: ReadonlyMap<string, string>) {
  const made = new Map<number, Cells>();
  return (baseDay: number): Cells => {
    const inside = days.slice(-cellDays).filter(({ day }) => day >= baseDay);
    const known = made.get(inside.length);
    if (known) return known;
    const cells = closedCells(inside, sectors);
    made.set(inside.length, cells);
    return cells;
  };
}

/** The cells over consecutive closed days. */
export function closedCells(days: readonly DayFacts[], sectors: ReadonlyMap<string, string>): Cells {
  const parts = new Map<string, CellSums[]>();
  for (const { capabilities } of days) {
    for (const [capability, sums] of capabilities) {
      const known = parts.get(capability);
      if (known) known.push(sums);
      else parts.set(capability, [sums]);
    }
  }
  const priced = [...parts].flatMap(([capability, ofDays]) => {
    const sums = total(ofDays);
    return isPriced(sums) ? [[capability, { ...sums, sector: sectors.get(capability) ?? 'know' }] as const] : [];
  });
  return { days: new Fraction(days.length), priced: new Map(priced) };
}

function chained({ measure }: IndexDefinition, before: IndexState, day: number, cells: Cells): IndexState {
  if (cells.priced.size === 0) return before;
  const priced = { lastPriced: day, cells };
  if (before.level === null || before.cells === null) return { level: firstLevel, baseDay: day, ...priced };
  const link = linkOf(measure, before.cells, cells);
  return { ...before, ...priced, level: printedLevel(link.times(exactOf(before.level))) };
}

/** An empty set of capabilities that are priced at both ends changes nothing. */
export function linkOf(measure: IndexDefinition['measure'], from: Cells, to: Cells): Link {
  if (measure === 'reliability' || measure === 'concentration') return unchanged;
  return linkBetween(measure, from, to) ?? unchanged;
}

/** An index whose level is a figure of the day alone. A day without data repeats the level before. */
function ofTheDay(
  { measure }: IndexDefinition,
  before: IndexState,
  { day, total: all, vendors }: DayFacts,
  baseRate: Fraction | null,
): IndexState {
  if (measure === 'concentration') {
    const value = concentrationOf([...vendors.values()].map(({ notional }) => notional));
    return value === null ? before : { ...before, level: printedLevel(rounded(value)) };
  }
  const value = reliabilityOf(all, baseRate);
  return value === null ? before : { ...before, level: printedLevel(rounded(value)), baseDay: before.baseDay ?? day };
}

export const successRateOf = ({ successes, failures }: Pick<DayCounts, 'successes' | 'failures'>): Fraction | null =>
  ratio(successes, successes + failures);

const positive = (value: Fraction | null): Fraction | null => (value === null || value.n === 0n ? null : value);

/** 1000 on the base day; null before it and where nothing succeeded or failed. */
export function reliabilityOf(
  counts: Pick<DayCounts, 'successes' | 'failures'>,
  baseRate: Fraction | null,
): Fraction | null {
  const rate = successRateOf(counts);
  return rate === null || baseRate === null ? null : rate.div(baseRate).mul(1000);
}

/** The Herfindahl–Hirschman index of these notionals, from 0 to 10,000; null where their sum is 0. */
export function concentrationOf(notionals: Iterable<bigint>): Fraction | null {
  let [sum, squares] = [0n, 0n];
  for (const notional of notionals) {
    sum += notional;
    squares += notional * notional;
  }
  return ratio(10_000n * squares, sum * sum);
}
