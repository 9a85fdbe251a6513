import type { CloseFile } from '../../../../contracts/feeds/closes.js';
import { type IndexId, indexIds } from '../../../../contracts/index-ids.js';
import { byCodePoint } from '../numbers/lists.js';
import type { Chain } from './chain.js';
import type { DayCounts, DayFacts, DaySums } from './day-facts.js';
import { dayText, readDay } from './days.js';

/** The contents of the file of a close. */
export interface ClosedFacts {
  readonly facts: DayFacts;
  /** The sector of each capability of the last seven days at this close. */
  readonly sectors: ReadonlyMap<string, string>;
  readonly indices: ReadonlyMap<IndexId, IndexDays>;
}

interface IndexDays {
  readonly baseDay: number | null;
  readonly lastPriced: number | null;
}

/** The file of a day. @param after the indices after its close */
export function closeFileOf(facts: DayFacts, sectors: ReadonlyMap<string, string>, after: Chain): CloseFile {
  const { day, receipts, root, total, capabilities, vendors } = facts;
  return {
    schema: 'counterfoil-close/1',
    day: dayText(day),
    receipts,
    root,
    total: shown(total),
    capabilities: inOrder(capabilities).map(([capability, sums]) => ({
      capability,
      ...shown(sums),
      latencies: Object.fromEntries(sums.latencies),
    })),
    sectors: inOrder(sectorSums(capabilities, sectors)).map(([sector, sums]) => ({ sector, ...shown(sums) })),
    vendors: inOrder(vendors).map(([vendor, sums]) => ({ vendor, ...shown(sums) })),
    capability_sectors: inOrder(sectors).map(([capability, sector]) => ({ capability, sector })),
    indices: indexIds.map((id) => {
      const { baseDay = null, lastPriced = null } = after.indices.get(id) ?? {};
      return { id, base_day: textOf(baseDay), last_priced_day: textOf(lastPriced) };
    }),
  };
}

const textOf = (day: number | null): string | null => (day === null ? null : dayText(day));
const dayIn = (text: string | null): number | null => (text === null ? null : readDay(text));

const inOrder = <T>(groups: ReadonlyMap<string, T>): [string, T][] => [...groups].sort(([a], [b]) => byCodePoint(a, b));

const shown = ({ tasks, successes, failures, refusals, quantity, notional }: DayCounts) => ({
  tasks,
  successes,
  failures,
  refusals,
  quantity,
  notional_micros: notional.toString(),
});

function sectorSums(
  capabilities: ReadonlyMap<string, DayCounts>,
  sectors: ReadonlyMap<string, string>,
): Map<string, DayCounts> {
  const sums = new Map<string, DayCounts>();
  for (const [capability, counts] of capabilities) {
    const sector = sectors.get(capability) ?? 'know';
    const before = sums.get(sector);
    sums.set(sector, before ? added(before, counts) : counts);
  }
  return sums;
}

const added = (a: DayCounts, b: DayCounts): DayCounts => ({
  tasks: a.tasks + b.tasks,
  successes: a.successes + b.successes,
  failures: a.failures + b.failures,
  refusals: a.refusals + b.refusals,
  quantity: a.quantity + b.quantity,
  notional: a.notional + b.notional,
});

export function readCloseFile(file: CloseFile): ClosedFacts {
  return {
    facts: {
      day: readDay(file.day),
      receipts: file.receipts,
      root: file.root,
      total: countsOf(file.total),
      capabilities: new Map(file.capabilities.map((one) => [one.capability, sumsOf(one)])),
      vendors: new Map(file.vendors.map((one) => [one.vendor, countsOf(one)])),
    },
    sectors: new Map(file.capability_sectors.map(({ capability, sector }) => [capability, sector])),
    indices: new Map(
      indexIds.map((id) => {
        const found = file.indices.find((one) => one.id === id);
        return [id, { baseDay: dayIn(found?.base_day ?? null), lastPriced: dayIn(found?.last_priced_day ?? null) }];
      }),
    ),
  };
}

const countsOf = ({
  tasks,
  successes,
  failures,
  refusals,
  quantity,
  notional_micros,
}: CloseFile['total']): DayCounts => ({
  tasks,
  successes,
  failures,
  refusals,
  quantity,
  notional: BigInt(notional_micros),
});

const sumsOf = (one: CloseFile['capabilities'][number]): DaySums => ({
  ...countsOf(one),
  latencies: new Map(Object.entries(one.latencies).map(([bucket, count]) => [Number(bucket), count])),
});
