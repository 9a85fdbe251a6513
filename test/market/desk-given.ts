import { tradingFeed as tradingShape } from '../../contracts/feeds/trading.js';
import { treasuryFeed as treasuryShape } from '../../contracts/feeds/treasury.js';
import type { Market as MarketMember } from '../../contracts/market.js';
import { feedText } from '../../src/domain/market/feeds/feed-text.js';
import { tradingFeed } from '../../src/domain/market/feeds/trading.js';
import { treasuryFeed } from '../../src/domain/market/feeds/treasury.js';
import { day, deskLink, hour, receiptsOf, startMs } from './desk-economy.js';
import type { TaskLink } from './economy.js';
import { cutToMinute, marketAt, momentAt } from './live.js';

type Members = Omit<MarketMember, 'schema'>;
export type Link = Parameters<typeof deskLink>[0];

export const t = cutToMinute(startMs) + 100 * day;
export const iso = (ms: number): string => new Date(ms).toISOString();

let made = 0;

/** A receipt of workspace 0, recorded at the end of its task, one hour before t. */
export function stated(market: Members, differences: Partial<Link> = {}): TaskLink {
  made += 1;
  const { ended = t - hour } = differences;
  const recorded = typeof ended === 'number' ? ended : Date.parse(ended);
  return deskLink({ workspace: 0, seq: made, recorded, ended, market, ...differences });
}

export function feedsAt(links: readonly TaskLink[], at = t) {
  const market = marketAt(at, receiptsOf(links));
  const parse = (feed: Parameters<typeof feedText>[0]) => JSON.parse(feedText(feed));
  return {
    ...tradingShape.parse(parse(tradingFeed(market, momentAt(at, [])))),
    treasury: treasuryShape.parse(parse(treasuryFeed(market, momentAt(at, [])))),
    market,
  };
}

export const rfq = (differences: object = {}) => ({
  rfq: {
    rfq_id: 'r',
    capability: 'search',
    quantity: 1,
    expires_at: iso(t + day),
    status: 'open' as const,
    ...differences,
  },
});
export const quote = (quote_id: string, unit_price_usd: number, differences: object = {}) => ({
  quote: { quote_id, rfq_id: 'r', unit_price_usd, quantity: 1, valid_until: iso(t + day), ...differences },
});
export const fill = (side: 'buy' | 'sell', differences: object = {}) => ({
  fill: {
    fill_id: 'f',
    capability: 'search',
    quantity: 1,
    unit_price_usd: 1,
    side,
    counterparty: 'Acme',
    ...differences,
  },
});
export const settlement = (differences: object = {}) => ({
  settlement: {
    invoice_id: 'i',
    rail: 'ach' as const,
    currency: 'USD',
    amount: 10,
    status: 'initiated' as const,
    ...differences,
  },
});
