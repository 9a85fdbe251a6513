import type { CloseBody } from '../../../contracts/entries/registry.js';
import type { CloseFile } from '../../../contracts/feeds/closes.js';
import { noChain } from '../../domain/market/indices/chain.js';
import { closeOf } from '../../domain/market/indices/close.js';
import type { ClosedDay, StoredCloses } from '../../domain/market/indices/closes.js';
import { type DayFacts, type DayFold, foldDay } from '../../domain/market/indices/day-facts.js';
import { closingOf, dayOf, dayText, readDay } from '../../domain/market/indices/days.js';
import { neededFiles } from '../../domain/market/indices/needed.js';
import type { Remembered } from './columns.js';

/** An entry of the registry that closes a day. */
export interface StatedClose {
  readonly body: CloseBody;
  readonly receiptId: string;
  readonly recordedMs: number;
}

/** The facts of each day and the sector that receipts have named first for each capability, from all receipts by t. */
export function createDays() {
  const days = new Map<number, DayFold>();
  const sectors = new Map<string, { readonly sector: string; readonly recordedMs: number }>();
  return {
    /** In recorded order. */
    add(fact: Remembered): void {
      const { capability, sector, recorded_ms, ended_ms } = fact;
      if (capability !== null && sector !== null && !sectors.has(capability)) {
        sectors.set(capability, { sector, recordedMs: recorded_ms });
      }
      const day = dayOf(ended_ms);
      if (recorded_ms >= closingOf(day)) return;
      const fold = days.get(day) ?? foldDay(day);
      days.set(day, fold);
      fold.add(fact);
    },
    first: (): number | null => (days.size === 0 ? null : Math.min(...days.keys())),
    factsOf: (day: number): DayFacts => (days.get(day) ?? foldDay(day)).facts(),
    /** The sectors of the capabilities of some days at a close. */
    sectorsAt(closingMs: number, of: readonly DayFacts[]): ReadonlyMap<string, string> {
      const capabilities = of.flatMap(({ capabilities: sums }) => [...sums.keys()]);
      return new Map(
        capabilities.map((capability) => {
          const named = sectors.get(capability);
          return [capability, named !== undefined && named.recordedMs < closingMs ? named.sector : 'know'];
        }),
      );
    },
  };
}

type Days = ReturnType<typeof createDays>;

/**
 * Computes the closed days again from receipts, and compares them with their entries.
 * @param stated in the order of the registry chain
 * @throws a sentence that names the first day on which the two differ
 */
export async function recomputeCloses(days: Days, stated: readonly StatedClose[]): Promise<StoredCloses> {
  const files = new Map<number, CloseFile>();
  const closed: ClosedDay[] = [];
  let chain = noChain;
  for (const { body, receiptId, recordedMs } of stated) {
    const day = readDay(body.day);
    requireNext(day, chain.day, days);
    const facts = days.factsOf(day);
    const sectors = days.sectorsAt(closingOf(day), [...chain.recent, facts]);
    const close = closeOf(chain, facts, sectors);
    requireSame(body, close.body);
    files.set(day, close.file);
    closed.push({
      day,
      receipt_id: receiptId,
      recorded_ms: recordedMs,
      levels: body.levels,
      facts_hash: body.facts_hash,
    });
    chain = close.chain;
  }
  if (chain.day === null) return { days: [], files: [] };
  const load = async (wanted: readonly number[]) => wanted.flatMap((day) => files.get(day) ?? []);
  return { days: closed, files: (await neededFiles(chain.day, load)).files };
}

/** The days close in order, from that of the first on-time receipt. */
function requireNext(day: number, before: number | null, days: Days): void {
  const expected = before === null ? days.first() : before + 1;
  if (day === expected) return;
  const should = expected === null ? 'no public receipt was on time' : `${dayText(expected)} is next`;
  throw new Error(`The entry of the close of ${dayText(day)} is not the one that follows: ${should}.`);
}

/** The first member of an entry that the receipts do not give. */
function requireSame(stated: CloseBody, computed: CloseBody): void {
  const fault = (name: string, entry: unknown, receipts: unknown) =>
    new Error(`The entry of the close of ${stated.day} states ${name} ${entry}, and its receipts give ${receipts}.`);
  for (const name of ['receipts', 'root'] as const) {
    if (stated[name] !== computed[name]) throw fault(name, stated[name], computed[name]);
  }
  for (const id of new Set([...Object.keys(stated.levels), ...Object.keys(computed.levels)])) {
    const [entry, receipts] = [stated.levels[id], computed.levels[id]];
    if (entry !== receipts) throw fault(id, entry, receipts);
  }
  if (stated.facts_hash !== computed.facts_hash) throw fault('facts_hash', stated.facts_hash, computed.facts_hash);
}
