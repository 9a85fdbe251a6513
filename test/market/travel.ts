import { createMarket, type Market } from '../../src/domain/market/state/market.js';
import type { PublicReceipt } from '../../src/domain/market/state/receipt.js';
import { edges } from '../../src/domain/market/state/windows.js';

/** A market that moves from each of these moments to the next one, as the service does, and is then at the last one. */
export function marketAt(
  receipts: readonly PublicReceipt[],
  moments: readonly number[],
  look: (market: Market) => void = () => {},
): Market {
  const [first = 0, ...later] = moments;
  const market = createMarket(first);
  const recorded = (after: number, until: number) =>
    receipts.filter(({ task }) => task.recorded_ms > after && task.recorded_ms <= until);
  market.add(recorded(Number.NEGATIVE_INFINITY, first));
  for (const t of later) {
    const before = market.t;
    market.add(recorded(before, t));
    for (const edge of edges) {
      const tasks = receipts
        .map(({ task }) => task)
        .filter(
          ({ recorded_ms, ended_ms }) => recorded_ms <= t && isBetween(ended_ms, before - edge.ageMs, t - edge.ageMs),
        );
      market.cross(edge, tasks);
      look(market);
    }
    market.arrive(t);
    look(market);
  }
  return market;
}

const isBetween = (ms: number, after: number, until: number): boolean => ms > after && ms <= until;
