import type { CloseFile } from '../../contracts/feeds/closes.js';
import { indexIds } from '../../contracts/index-ids.js';
import type { Fact } from '../../src/domain/market/fact.js';
import { advance, type Chain, noChain } from '../../src/domain/market/indices/chain.js';
import type { ClosedDay } from '../../src/domain/market/indices/closes.js';
import { foldDay } from '../../src/domain/market/indices/day-facts.js';
import { closingOf, dayOf, dayText } from '../../src/domain/market/indices/days.js';
import { closeFileOf } from '../../src/domain/market/indices/file.js';
import { numberOf } from '../../src/domain/market/indices/level.js';
import { isRecordedBefore } from '../../src/domain/market/state/receipt.js';

export interface Closed {
  readonly chain: Chain;
  readonly file: CloseFile;
  readonly close: ClosedDay;
}

/** The closes of these receipts in memory, from the day of the first on-time one to the last day. */
export function closesOf(facts: readonly Fact[], last: number): Closed[] {
  const inOrder = [...facts].sort((a, b) => (isRecordedBefore(a, b) ? -1 : 1));
  const onTime = inOrder.filter((fact) => fact.recorded_ms < closingOf(dayOf(fact.ended_ms)));
  const closes: Closed[] = [];
  let chain = noChain;
  for (let day = Math.min(...onTime.map(({ ended_ms }) => dayOf(ended_ms))); day <= last; day += 1) {
    const fold = foldDay(day);
    for (const fact of onTime) if (dayOf(fact.ended_ms) === day) fold.add(fact);
    const today = fold.facts();
    const sectors = sectorsAt(inOrder, closingOf(day));
    const names = new Set([...chain.recent, today].flatMap(({ capabilities }) => [...capabilities.keys()]));
    const known = new Map([...names].map((name) => [name, sectors.get(name) ?? 'know']));
    chain = advance(chain, today, known);
    closes.push({ chain, file: closeFileOf(today, known, chain), close: closedDay(day, chain) });
  }
  return closes;
}

export function sectorsAt(inOrder: readonly Fact[], before: number): Map<string, string> {
  const sectors = new Map<string, string>();
  for (const { capability, sector, recorded_ms } of inOrder) {
    if (capability !== null && sector !== null && recorded_ms < before && !sectors.has(capability)) {
      sectors.set(capability, sector);
    }
  }
  return sectors;
}

function closedDay(day: number, chain: Chain): ClosedDay {
  const levels = indexIds.map((id) => {
    const level = chain.indices.get(id)?.level ?? null;
    return [id, level === null ? null : numberOf(level)] as const;
  });
  return {
    day,
    receipt_id: `close of ${dayText(day)}`,
    recorded_ms: closingOf(day) + 5000,
    levels: Object.fromEntries(levels),
    facts_hash: '',
  };
}
