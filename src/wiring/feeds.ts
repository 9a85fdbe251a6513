import type { Logger } from 'pino';
import { receiptsAfter } from '../../projections/facts/pages.js';
import type { Database } from '../adapters/database/database.js';
import { createLiveMarket } from '../adapters/market/live-market.js';
import { openMarketThread } from '../adapters/market/market-thread.js';
import type { MarketView } from '../api/feeds/view.js';
import { createPublicTags } from '../domain/public-tags.js';
import { createSettledTimes } from '../ledger/settled.js';
import { sharedSecret } from '../start/bootstrap.js';
import { makingFeeds } from '../workers/feeds/making.js';
import { createPublished } from '../workers/feeds/published.js';
import { createWorker } from '../workers/loop.js';
import type { World } from '../world.js';

interface FeedsParts {
  readonly database: Database;
  readonly background: Database;
  readonly world: World;
  readonly log: Logger;
}

/** Public receipts beyond this number are not counted. */
const mostWaiting = 100_000;

/** The public feeds of this process, and the worker that makes them. */
export async function wireFeeds({ database, background, world, log }: FeedsParts) {
  const tagKey = await sharedSecret(database, world, 'installation');
  const tags = createPublicTags(tagKey);
  const published = createPublished();
  const { job, close } = makingFeeds({
    database: background,
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
