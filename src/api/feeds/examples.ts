import { type FeedName, makeFeed } from '../../domain/market/feeds/all.js';
import { feedText } from '../../domain/market/feeds/feed-text.js';
import { noCloses, openCloses } from '../../domain/market/indices/closes.js';
import { createMarket } from '../../domain/market/state/market.js';
import { openFrontier } from '../../verifier/frontier.js';

const t = Date.parse('2026-03-14T09:26:00.000Z');

const moment = {
  t,
  receipts: 0,
  root: Buffer.from(openFrontier().root()).toString('hex'),
  logSize: 0,
  closes: openCloses(noCloses),
};

/** A feed before the first public receipt: every named key is there. */
export const exampleFeed = (name: FeedName): unknown => JSON.parse(feedText(makeFeed(name, createMarket(t), moment)));
