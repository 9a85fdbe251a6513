import { hasReceipts } from '../../../projections/facts/pages.js';
import type { LiveMarket } from '../../adapters/market/live-market.js';
import type { MarketThread } from '../../adapters/market/market-thread.js';
import { certainTime, type World } from '../../base/world.js';
import type { Database } from '../../database/database.js';
import type { NewestFeeds } from '../../domain/market/feeds/served.js';
import { noCloses, type StoredCloses } from '../../domain/market/indices/closes.js';
import type { SettledTimes } from '../../ledger/settled.js';
import type { Job } from '../loop.js';
import type { Published } from './published.js';
import { createReading, type Reading } from './reading.js';
import { storedFeeds, storeFeeds } from './stored.js';

/** Feeds are those of the clock less this time. Every append ends earlier, or gets a new time. */
const behindMs = 5000;
const minuteMs = 60_000;

interface FeedParts {
  readonly database: Pick<Database, 'read' | 'transaction'>;
  readonly settledTimes: SettledTimes;
  readonly world: Pick<World, 'now' | 'doubt' | 'sleep'>;
  readonly published: Published;
  /** Opens a market in a thread, whose windows are seen from a moment. */
  openMarket(t: number): MarketThread;
  /** Makes a market in this thread, for a store that has no public receipts. */
  emptyMarket(t: number): LiveMarket;
}

/** A market with the moment that it has arrived at. */
interface Live {
  readonly market: LiveMarket;
  /** Null for a market without receipts. */
  readonly thread: MarketThread | null;
  readonly t: number;
  readonly closes: StoredCloses;
}

const minuteOf = (ms: number): number => ms - (ms % minuteMs);

/**
 * Makes the public feeds of each minute: settles the ledger up to t, gives the market what was recorded since the last t,
 * and publishes its feeds. It looks at the clock every second, and waits for no moment that it has computed, because a clock
 * may be set. When the clock goes back, t does not; when it jumps forward, only the newest minute is made.
 */
export function makingFeeds(parts: FeedParts): { job: Job; close(): Promise<void> } {
  const { database, settledTimes, world, published, openMarket, emptyMarket } = parts;
  let live: Live | null = null;
  let isLoaded = false;

  /** A start shows the feeds of the time before at once. */
  async function load(): Promise<void> {
    const stored = isLoaded ? null : await storedFeeds(database);
    if (stored) published.publish(stored, null);
    isLoaded = true;
  }

  async function drop(): Promise<void> {
    const dropped = live;
    live = null;
    await dropped?.thread?.close();
  }

  /** The market with all receipts up to t, in its windows as they are seen from t. */
  async function marketAt(t: number, reading: Reading): Promise<Live> {
    const isEmpty = !(await reading.read((tx) => hasReceipts(tx, t)));
    if (live && (live.thread === null) === isEmpty) {
      if (!isEmpty && t > live.t) await reading.advance(live.market, live.t, t);
      return { ...live, t };
    }
    await drop();
    if (isEmpty) return { market: emptyMarket(t), thread: null, t, closes: noCloses };
    const thread = openMarket(t);
    // Also of one that is not filled yet, so that a stop closes it.
    live = { market: thread, thread, t: 0, closes: noCloses };
    await reading.fill(thread, t);
    return { ...live, t };
  }

  async function make(t: number, stopping: AbortSignal): Promise<NewestFeeds> {
    const reading = createReading({ database, world }, stopping);
    const next = await marketAt(t, reading);
    if (next.thread) await reading.giveHistory(next.market, t);
    const { logSize, closes } = await reading.facts(t, next.closes);
    const newest = await next.market.arrive({ t, logSize, closes: closes === next.closes ? null : closes });
    live = { ...next, closes };
    published.publish(newest, next.market);
    return newest;
  }

  async function work(stopping: AbortSignal): Promise<boolean> {
    await load();
    const wanted = Math.max(minuteOf(certainTime(world).getTime() - behindMs), published.newest?.t ?? 0);
    if (live?.thread?.failure()) await drop();
    if (live && wanted <= live.t) return false;
    const settled = await settledTimes.settle(wanted);
    if (settled < wanted) return false;
    const made = await make(minuteOf(settled), stopping).catch(async (error: unknown) => {
      await drop();
      if (!stopping.aborted) throw error;
    });
    if (made && live?.thread) await storeFeeds(database, made);
    return false;
  }

  return { job: { name: 'feeds', work, napMs: 1000 }, close: drop };
}
