import { feedNames, makeFeed } from '../../src/domain/market/feeds/all.js';
import { feedText } from '../../src/domain/market/feeds/feed-text.js';
import type { Moment } from '../../src/domain/market/feeds/head.js';
import { noCloses, openCloses } from '../../src/domain/market/indices/closes.js';
import { createMarket, type Market } from '../../src/domain/market/state/market.js';
import type { PublicReceipt } from '../../src/domain/market/state/receipt.js';
import { edges } from '../../src/domain/market/state/windows.js';
import { toHex } from '../../src/verifier/bytes.js';
import { openFrontier } from '../../src/verifier/frontier.js';
import type { Random } from './random.js';

const minuteMs = 60_000;
export const cutToMinute = (ms: number): number => ms - (ms % minuteMs);

const recordedBy = (receipts: readonly PublicReceipt[], t: number) =>
  receipts.filter(({ task }) => task.recorded_ms <= t);

/** The state at t from nothing but receipts. @param receipts also later ones, in any order */
export function marketAt(t: number, receipts: readonly PublicReceipt[]): Market {
  const market = createMarket(t);
  market.add(recordedBy(receipts, t));
  answerWanted(market, receipts);
  return market;
}

/** Gives the history that service levels are measured by, as the service and a recomputation do it. */
function answerWanted({ serviceLevels, t }: Market, receipts: readonly PublicReceipt[]): void {
  for (const range of serviceLevels.wanted(t)) {
    const tasks = recordedBy(receipts, t).filter(
      ({ task: { agent, capability, ended_ms } }) =>
        agent === range.agent && capability === range.capability && ended_ms >= range.fromMs && ended_ms < range.toMs,
    );
    serviceLevels.answer(
      range,
      tasks.map(({ task: { status, latency_bucket } }) => ({ status, latency_bucket, tasks: 1 })),
    );
  }
}

/** The moment t of a store with these receipts, in recorded order, and nothing else. */
export function momentAt(t: number, receipts: readonly PublicReceipt[]): Moment {
  const tree = openFrontier();
  for (const { task } of recordedBy(receipts, t)) tree.add(Buffer.from(task.hash, 'hex'));
  const root = toHex(tree.root());
  return { t, receipts: tree.size(), root, logSize: 0, closes: openCloses(noCloses) };
}

/** All feeds as their bytes. */
export const feedsOf = (market: Market, moment: Moment): Record<string, string> =>
  Object.fromEntries(feedNames.map((name) => [name, feedText(makeFeed(name, market, moment))]));

/** A market that follows the receipts as the service does: it adds those that are new, and moves tasks over the edges. */
export function follow(receipts: readonly PublicReceipt[], from: number) {
  const market = marketAt(from, receipts);
  return {
    market,
    /** Moves on to t, in parts of random sizes and in a random order. */
    advance(t: number, { chance, whole }: Random): void {
      const before = market.t;
      const late = receipts.filter(({ task }) => task.recorded_ms > before && task.recorded_ms <= t);
      const early = chance(0.5) ? late.splice(0, whole(late.length + 1)) : [];
      inParts(early, whole, (part) => market.add(part));
      const known = [...recordedBy(receipts, before), ...early].map(({ task }) => task);
      for (const edge of edges) {
        const crossing = known.filter(({ ended_ms }) => ended_ms > before - edge.ageMs && ended_ms <= t - edge.ageMs);
        inParts(crossing, whole, (part) => market.cross(edge, part));
      }
      market.arrive(t);
      inParts(late, whole, (part) => market.add(part));
      answerWanted(market, receipts);
    },
  };
}

function inParts<T>(items: readonly T[], whole: Random['whole'], work: (part: readonly T[]) => void): void {
  for (let at = 0; at < items.length; ) {
    const size = 1 + whole(items.length);
    work(items.slice(at, at + size));
    at += size;
  }
}

/** A random order of the same items. */
export function shuffled<T>(items: readonly T[], { whole }: Random): T[] {
  const result = [...items];
  for (let at = result.length - 1; at > 0; at -= 1) {
    const other = whole(at + 1);
    const [a, b] = [result[at], result[other]];
    if (a !== undefined && b !== undefined) [result[at], result[other]] = [b, a];
  }
  return result;
}
