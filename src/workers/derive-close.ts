import { storedClosesBefore } from '../../projections/closes/stored.js';
import { type DayFactRow, namedSectors, onTimeFacts } from '../../projections/facts/days.js';
import type { Database } from '../database/database.js';
import type { Place } from '../domain/market/fact.js';
import { closeOf, type DerivedClose } from '../domain/market/indices/close.js';
import { openCloses } from '../domain/market/indices/closes.js';
import { type DayFacts, foldDay } from '../domain/market/indices/day-facts.js';
import { closingOf } from '../domain/market/indices/days.js';

/** Receipts of one page. Reading and adding up a page takes about 10 ms. */
const pageReceipts = 1000;
const pageCapabilities = 1000;

/**
 * The close of a day, from its on-time receipts and from the closes before it. No receipt with a time before the end of the day
 * and an hour may be recorded any more.
 * @param onPage is called before each page. @returns whether to continue
 * @returns null when `onPage` has ended it
 */
export async function deriveClose(
  database: Database,
  day: number,
  onPage: () => Promise<boolean>,
): Promise<DerivedClose | null> {
  const facts = await readFacts(database, day, onPage);
  if (facts === null) return null;
  const { chain } = openCloses(await database.read((tx) => storedClosesBefore(tx, day)));
  const sectors = await readSectors(database, [...chain.recent, facts], closingOf(day));
  return closeOf(chain, facts, sectors);
}

async function readFacts(database: Database, day: number, onPage: () => Promise<boolean>): Promise<DayFacts | null> {
  const fold = foldDay(day);
  let after: Place | null = null;
  for (;;) {
    if (!(await onPage())) return null;
    const last: Place | null = after;
    const page: readonly DayFactRow[] = await database.read((tx) => onTimeFacts(tx, day, last, pageReceipts));
    for (const fact of page) fold.add(fact);
    after = page.at(-1) ?? null;
    if (page.length < pageReceipts || after === null) return fold.facts();
  }
}

/** A capability for which no receipt has named a sector by then belongs to `know`. */
async function readSectors(
  database: Database,
  days: readonly DayFacts[],
  before: number,
): Promise<ReadonlyMap<string, string>> {
  const capabilities = [...new Set(days.flatMap((one) => [...one.capabilities.keys()]))];
  const sectors = new Map(capabilities.map((capability) => [capability, 'know']));
  for (let from = 0; from < capabilities.length; from += pageCapabilities) {
    const page = capabilities.slice(from, from + pageCapabilities);
    for (const { capability, sector } of await database.read((tx) => namedSectors(tx, page, before))) {
      sectors.set(capability, sector);
    }
  }
  return sectors;
}
