import type { CloseFile } from '../../../../contracts/feeds/closes.js';
import type { IndexId } from '../../../../contracts/index-ids.js';
import type { Figure } from '../numbers/figure.js';
import { type Cells, ofSector } from './cells.js';
import { type Chain, cellDays, closedCells, type IndexState, successRateOf } from './chain.js';
import { readDay } from './days.js';
import { type IndexDefinition, indexDefinitions, isChained } from './definitions.js';
import { type ClosedFacts, readCloseFile } from './file.js';
import { exactOf, minusHundred, readLevel } from './level.js';
import { linkBetween } from './links.js';

/** The entry of a close, as the feeds use it. It can be given to a thread. */
export interface ClosedDay {
  /** Whole days since 1970. */
  readonly day: number;
  readonly receipt_id: string;
  readonly recorded_ms: number;
  readonly levels: Readonly<Record<string, number | null>>;
  readonly facts_hash: string;
}

/** Closes up to a moment, as they are stored: what the indices of a feed need of them. It can be given to a thread. */
export interface StoredCloses {
  /** The last closed days, and older ones from which drift is measured, oldest first. */
  readonly days: readonly ClosedDay[];
  readonly files: readonly CloseFile[];
}

/** How many closed days the history of an index shows at most, and how far back its drift is measured at least. */
export const historyDays = 30;

/** The closes up to a moment with all that does not change until the next one. */
export interface Closes {
  readonly last: ClosedDay | null;
  readonly chain: Chain;
  readonly history: ReadonlyMap<IndexId, readonly LevelOfDay[]>;
  readonly drift: ReadonlyMap<IndexId, Figure | null>;
}

interface LevelOfDay {
  readonly day: number;
  readonly value: Figure;
}

type Files = ReadonlyMap<number, ClosedFacts>;

/** Those of a store that has never closed a day. */
export const noCloses: StoredCloses = { days: [], files: [] };

export function openCloses({ days, files }: StoredCloses): Closes {
  const last = days.at(-1) ?? null;
  const byDay: Files = new Map(files.map((file) => [readDay(file.day), readCloseFile(file)]));
  const chain = chainAfter(last, byDay);
  const recent = days.filter(({ day }) => last !== null && day > last.day - historyDays);
  return {
    last,
    chain,
    history: new Map(indexDefinitions.map(({ id }) => [id, levelsOf(recent, id)])),
    drift: new Map(indexDefinitions.map((one) => [one.id, driftOf(one, chain, days, byDay)])),
  };
}

/** The days before the base day of an index have no level. */
function levelsOf(days: readonly ClosedDay[], id: IndexId): LevelOfDay[] {
  return days.flatMap((one) => {
    const value = levelOf(one, id);
    return value === null ? [] : [{ day: one.day, value }];
  });
}

function levelOf({ levels }: ClosedDay, id: IndexId): Figure | null {
  const level = levels[id] ?? null;
  return level === null ? null : readLevel(level);
}

/** The state after the last close, which is in its entry and in the files. */
function chainAfter(last: ClosedDay | null, files: Files): Chain {
  if (last === null) return { day: null, indices: new Map(), recent: [], baseRate: null };
  const indices = new Map<IndexId, IndexState>();
  for (const definition of indexDefinitions) {
    const { baseDay = null, lastPriced = null } = files.get(last.day)?.indices.get(definition.id) ?? {};
    const cells = lastPriced === null || baseDay === null ? null : cellsOn(definition, lastPriced, baseDay, files);
    indices.set(definition.id, { level: levelOf(last, definition.id), baseDay, lastPriced, cells });
  }
  const base = indices.get('CFX.REL')?.baseDay ?? null;
  const onBase = base === null ? undefined : files.get(base)?.facts.total;
  return {
    day: last.day,
    indices,
    recent: daysUpTo(last.day, last.day - cellDays + 2, files).map(({ facts }) => facts),
    baseRate: onBase ? successRateOf(onBase) : null,
  };
}

function cellsOn({ sector }: IndexDefinition, day: number, baseDay: number, files: Files): Cells {
  const days = daysUpTo(day, Math.max(baseDay, day - cellDays + 1), files);
  return ofSector(
    closedCells(
      days.map(({ facts }) => facts),
      files.get(day)?.sectors ?? new Map(),
    ),
    sector,
  );
}

function daysUpTo(last: number, first: number, files: Files): ClosedFacts[] {
  const found: ClosedFacts[] = [];
  for (let day = first; day <= last; day += 1) {
    const file = files.get(day);
    if (file) found.push(file);
  }
  return found;
}

/** `100 × (level(d) / level(d₀) / F(d₀, d) − 1)` with F the direct link: how far the chain is from it. */
function driftOf(definition: IndexDefinition, chain: Chain, days: readonly ClosedDay[], files: Files): Figure | null {
  const { id, measure } = definition;
  const { level, baseDay, lastPriced, cells } = chain.indices.get(id) ?? {};
  if (!isChained(definition) || measure === 'reliability' || measure === 'concentration') return null;
  if (!level || typeof baseDay !== 'number' || typeof lastPriced !== 'number' || !cells) return null;
  const from = files.get(lastPriced - historyDays)?.indices.get(id)?.lastPriced ?? null;
  const before = days.find(({ day }) => day === from);
  const levelBefore = before ? levelOf(before, id) : null;
  if (from === null || levelBefore === null || levelBefore.units === 0n) return null;
  const direct = linkBetween(measure, cellsOn(definition, from, baseDay, files), cells);
  if (direct === null) return null;
  return minusHundred(direct.inverse().times(exactOf(level).div(exactOf(levelBefore)).mul(100)));
}
