import { makeFeed } from '../../src/domain/market/feeds/all.js';
import { feedText } from '../../src/domain/market/feeds/feed-text.js';
import { noCloses, openCloses } from '../../src/domain/market/indices/closes.js';
import type { Market } from '../../src/domain/market/state/market.js';

/** The bytes of the terminal of a market without closed days. */
export function terminalText(market: Market): string {
  const moment = { t: market.t, receipts: 0, root: '', logSize: 0, closes: openCloses(noCloses) };
  return feedText(makeFeed('terminal', market, moment));
}
