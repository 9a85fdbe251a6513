import Fraction from 'fraction.js';
import { change, type Figure, figureOf, rounded } from '../numbers/figure.js';
import type { TaskGroups } from '../state/task-groups.js';
import { cellsNow } from './cells.js';
import { concentrationOf, type IndexState, linkOf, noIndex, reliabilityOf } from './chain.js';
import type { Closes } from './closes.js';
import { dayText } from './days.js';
import { type IndexDefinition, indexDefinitions, isChained } from './definitions.js';
import { exactOf, minusHundred } from './level.js';

/** The part of the state of the market that indices need. */
interface WithTasks {
  readonly tasks: TaskGroups;
}

/** An index at a moment; all null before its first close. */
interface Now {
  readonly value: Figure | null;
  readonly change: Figure | null;
}

export interface Indices {
  /** The nine rows of the feed. */
  readonly rows: readonly IndexRow[];
  readonly composite: Now;
  /** The change in percent of the sub-index of a sector. */
  sectorChange(sector: string): Figure | null;
}

/** The indices at a moment t: the last close that was recorded by then, and the tasks since. */
export function indexRows({ tasks }: WithTasks, closes: Closes, t: number): Indices {
  const now = new Map(indexDefinitions.map((one) => [one, valueNow(one, tasks, closes, t)]));
  const find = (isWanted: (one: IndexDefinition) => boolean): Now => {
    const definition = indexDefinitions.find(isWanted);
    return (definition && now.get(definition)) ?? nothing;
  };
  return {
    rows: [...now].map(([definition, value]) => rowOf(definition, value, closes)),
    composite: find(({ kind }) => kind === 'composite'),
    sectorChange: (sector) => find((one) => one.sector === sector).change,
  };
}

/** A row of the feed. */
export type IndexRow = ReturnType<typeof rowOf>;

const nothing: Now = { value: null, change: null };

function rowOf({ id, name, kind, measure }: IndexDefinition, { value, change }: Now, closes: Closes) {
  const { baseDay } = closes.chain.indices.get(id) ?? noIndex;
  const row = {
    id,
    name,
    kind,
    value,
    change_pct: change,
    base_day: baseDay === null ? null : dayText(baseDay),
    drift_pct: closes.drift.get(id) ?? null,
    history: (closes.history.get(id) ?? []).map(({ day, value }) => ({ day: dayText(day), value })),
    receipt_id: closes.last?.receipt_id ?? null,
  };
  return measure === 'concentration' ? { ...row, band: value === null ? null : bandOf(value) } : row;
}

/** The thresholds of the merger guidelines of the United States of 2023, in millionths. */
const [moderateFrom, highAbove] = [1_000_000_000n, 1_800_000_000n];

function bandOf({ units }: Figure): 'low' | 'moderate' | 'high' {
  if (units < moderateFrom) return 'low';
  return units <= highAbove ? 'moderate' : 'high';
}

function valueNow(definition: IndexDefinition, tasks: TaskGroups, closes: Closes, t: number): Now {
  const state = closes.chain.indices.get(definition.id) ?? noIndex;
  if (state.level === null) return nothing;
  if (isChained(definition)) return linkedNow(definition, state, tasks, t);
  const { successes, failures } = tasks.all.day;
  const value =
    definition.measure === 'reliability'
      ? reliabilityOf({ successes, failures }, closes.chain.baseRate)
      : concentrationOf([...tasks.vendors.values()].map(({ day }) => day.notional));
  const level = exactOf(state.level);
  const exact = value ?? level;
  return { value: rounded(exact), change: figureOf(change(exact, level)) };
}

/** The level of the last close times the link from the cells of the last priced day to those of now. */
function linkedNow(
  { measure, sector }: IndexDefinition,
  { level, baseDay, cells }: IndexState,
  tasks: TaskGroups,
  t: number,
): Now {
  if (level === null || baseDay === null || cells === null) return nothing;
  const link = linkOf(measure, cells, cellsNow(tasks, t, baseDay, cells, sector));
  return {
    value: link.times(exactOf(level)),
    change: level.units === 0n ? null : minusHundred(link.times(new Fraction(100))),
  };
}
