import Fraction from 'fraction.js';
import type { CapabilityGroup, TaskGroups } from '../state/task-groups.js';
import { dayMs } from '../state/windows.js';
import { type Cell, type CellSums, type Cells, isPriced, total } from './cells.js';
import { dayOf, startOf } from './days.js';

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
