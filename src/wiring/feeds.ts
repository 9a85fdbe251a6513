import type { Logger } from 'pino';
import { logChain } from '../../contracts/log.js';
import { receiptsAfter } from '../../projections/facts/pages.js';
import { createLiveMarket } from '../adapters/market/live-market.js';
import { openMarketThread } from '../adapters/market/market-thread.js';
import type { ReadList } from '../adapters/replica.js';
import type { MarketView } from '../api/feeds/view.js';
import type { World } from '../base/world.js';
import type { Database } from '../database/database.js';
import { createPublicTags } from '../domain/public-tags.js';
import { createSettledTimes } from '../ledger/settled.js';
import { makingFeeds } from '../workers/feeds/making.js';
import { createPublished } from '../workers/feeds/published.js';
import { createWorker } from '../workers/loop.js';
import type { SharedSecret } from './start/secrets.js';

interface FeedsParts {
  readonly secret: SharedSecret;
  readonly background: Database;
  /** Reads that a replica may answer; of the log's chain here, because the feeds are of all chains. */
  readonly readListBehind: ReadList;
  readonly world: World;
  readonly log: Logger;
}

/** Public receipts beyond this number are not counted. */
const mostWaiting = 100_000;

/** The public feeds of this process, and the worker that makes them. */
export async function wireFeeds({ secret, background, readListBehind, world, log }: FeedsParts) {
  const tagKey = await secret('installation');
  const tags = createPublicTags(tagKey);
  const published = createPublished();
  const { job, close } = makingFeeds({
    database: { read: (work) => readListBehind(logChain, work), transaction: background.transaction },
    settledTimes: createSettledTimes(background),
    world,
    published,
    openMarket: (t) => openMarketThread({ tagKey, t }),
    emptyMarket: (t) => createLiveMarket(tags, t),
  });
  return {
    view: published satisfies MarketView,
    worker: createWorker({ world, log }, job),
    close,
    async health() {
      const t = published.newest?.t;
      if (t === undefined) return null;
      const waiting = await background.read((tx) => receiptsAfter(tx, t, mostWaiting));
      return { ageSeconds: (world.now().getTime() - t) / 1000, waiting };
    },
  };
}
