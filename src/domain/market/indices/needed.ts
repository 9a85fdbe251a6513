import type { CloseFile } from '../../../../contracts/feeds/closes.js';
import { cellDays } from './chain.js';
import { historyDays } from './closes.js';
import { readDay } from './days.js';
import { type ClosedFacts, readCloseFile } from './file.js';

/** Reads files of closed days. Days that have not closed have none. */
type LoadFiles = (days: readonly number[]) => Promise<readonly CloseFile[]>;

interface NeededFiles {
  readonly files: readonly CloseFile[];
  /** The days from which drift is measured. */
  readonly driftDays: readonly number[];
}

/**
 * Loads the files that the indices after a close are made from: those of the last days, and of the days that end with the last
 * priced day of each index, now and a month before. Their number has a bound, however many days have closed.
 */
export async function neededFiles(last: number, load: LoadFiles): Promise<NeededFiles> {
  const found = new Map<number, CloseFile>();
  const read = new Map<number, ClosedFacts>();
  const more = async (days: Iterable<number>) => {
    const wanted = [...new Set(days)].filter((day) => day >= 0 && !found.has(day));
    for (const file of wanted.length === 0 ? [] : await load(wanted)) found.set(readDay(file.day), file);
  };
  const opened = (day: number): ClosedFacts | null => {
    const file = found.get(day);
    if (!file) return null;
    const facts = read.get(day) ?? readCloseFile(file);
    read.set(day, facts);
    return facts;
  };
  await more(weekTo(last));
  const states = [...(opened(last)?.indices ?? [])];
  const priced = states.flatMap(([, { lastPriced }]) => (lastPriced === null ? [] : [lastPriced]));
  const bases = states.flatMap(([id, { baseDay }]) => (id === 'CFX.REL' && baseDay !== null ? [baseDay] : []));
  await more([...priced.flatMap(weekTo), ...bases, ...priced.map((day) => day - historyDays)]);
  const driftDays = states.flatMap(([id, { lastPriced }]) => {
    const from = lastPriced === null ? null : opened(lastPriced - historyDays)?.indices.get(id)?.lastPriced;
    return typeof from === 'number' ? [from] : [];
  });
  await more(driftDays.flatMap(weekTo));
  return { files: [...found.values()], driftDays: [...new Set(driftDays)] };
}

const weekTo = (day: number): number[] => Array.from({ length: cellDays }, (_, back) => day - back);
