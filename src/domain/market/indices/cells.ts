import Fraction from 'fraction.js';
import { addCount, type Sums } from '../state/sums.js';
import type { CapabilityGroup, TaskGroups } from '../state/task-groups.js';
import { dayMs } from '../state/windows.js';
import { dayOf, startOf } from './days.js';

/** The sums that cells are made of. */
export type CellSums = Pick<Sums, 'quantity' | 'notional' | 'latencies'>;

/** A priced capability: what was done in the time of the cells, in all. */
export interface Cell extends CellSums {
  readonly sector: string;
}

/** The priced capabilities of a time, such as the seven closed days that end with one. */
export interface Cells {
  /** The length of the time in days, by which sums are divided. */
  readonly days: Fraction;
  readonly priced: ReadonlyMap<string, Cell>;
}

/** A capability is priced when something was paid and something that states a cost succeeded. */
export const isPriced = ({ notional, quantity }: Pick<CellSums, 'notional' | 'quantity'>): boolean =>
  notional > 0n && quantity > 0;

/** The sum of several sums. */
export function total(parts: Iterable<CellSums>): CellSums {
  let [quantity, notional] = [0, 0n];
  const latencies = new Map<number, number>();
  for (const part of parts) {
    quantity += part.quantity;
    notional += part.notional;
    for (const [bucket, count] of part.latencies) addCount(latencies, bucket, count);
  }
  return { quantity, notional, latencies };
}

/** The cells of the capabilities of one sector. */
export function ofSector({ days, priced }: Cells, sector: string | null): Cells {
  if (sector === null) return { days, priced };
  return { days, priced: new Map([...priced].filter(([, cell]) => cell.sector === sector)) };
}

const weekMs = 7 * dayMs;

/**
 * The cells of the 168 hours before t, or since the start of the base day where that is later. Only capabilities of the cells
 * that they are compared with are looked at.
 */
export function cellsNow(tasks: TaskGroups, t: number, baseDay: number, compared: Cells, sector: string | null): Cells {
  const isFirstWeek = startOf(baseDay) > t - weekMs;
  const priced = new Map<string, Cell>();
  for (const capability of compared.priced.keys()) {
    const group = tasks.capabilities.get(capability);
    if (!group) continue;
    const sums = isFirstWeek ? since(group, baseDay, dayOf(t)) : group.week;
    const ownSector = tasks.sectorOf(capability);
    if (isPriced(sums) && (sector === null || sector === ownSector))
      priced.set(capability, { ...sums, sector: ownSector });
  }
  return { days: new Fraction(isFirstWeek ? t - startOf(baseDay) : weekMs, dayMs), priced };
}

function since({ days }: CapabilityGroup, first: number, last: number): CellSums {
  const parts: CellSums[] = [];
  for (let day = first; day <= last; day += 1) {
    const sums = days.get(day);
    if (sums) parts.push(sums);
  }
  return total(parts);
}
