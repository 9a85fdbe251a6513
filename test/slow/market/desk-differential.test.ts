import { describe, expect, it } from 'vitest';
import { tradingFeed as tradingShape } from '../../../contracts/feeds/trading.js';
import { treasuryFeed as treasuryShape } from '../../../contracts/feeds/treasury.js';
import { feedText } from '../../../src/domain/market/feeds/feed-text.js';
import { tradingFeed } from '../../../src/domain/market/feeds/trading.js';
import { treasuryFeed } from '../../../src/domain/market/feeds/treasury.js';
import { figureOf, money } from '../../../src/domain/market/numbers/figure.js';
import type { Market } from '../../../src/domain/market/state/market.js';
import { fees } from '../../../src/domain/market/trading/fills.js';
import { penalties } from '../../../src/domain/market/trading/service-level.js';
import { invoicesByParty } from '../../../src/domain/market/treasury/sums.js';
import { day, deskEconomy, hour, minute, startMs } from '../../market/desk-economy.js';
import { cutToMinute, follow, momentAt } from '../../market/live.js';
import { type Line, linesAt, named } from '../../market/naive/lines.js';
import { plain, shown } from '../../market/naive/numbers.js';
import { naiveTrading } from '../../market/naive/trading.js';
import { naiveExposure, naiveInvoices, naiveOnTime, naiveTreasury } from '../../market/naive/treasury.js';
import { random } from '../../market/random.js';
import { names } from '../../market/stated.js';
import { repeats } from '../../support/repeats.js';

const moment = (t: number) => ({ ...momentAt(t, []), t });

function feedsOf(market: Market) {
  const feeds = { trading: tradingFeed(market, moment(market.t)), treasury: treasuryFeed(market, moment(market.t)) };
  // Every member is described, and none that is described is absent.
  for (const [shape, feed] of [[tradingShape, feeds.trading] as const, [treasuryShape, feeds.treasury] as const]) {
    const value = JSON.parse(feedText(feed));
    expect(shape.parse(value)).toEqual(value);
  }
  const withoutHead = (feed: unknown) => {
    const { summary, ...rest } = feed as { summary: object };
    const { as_of, evidence, lists, ...figures } = summary as Record<string, unknown>;
    return { summary: figures, ...rest };
  };
  return { trading: withoutHead(plain(feeds.trading)), treasury: withoutHead(plain(feeds.treasury)) };
}

function compareAt(market: Market, lines: readonly Line[]): void {
  const { t } = market;
  const { penalties: penaltiesOfPage, fees: feesOfPage, ...trading } = naiveTrading(lines, t);
  const found = feedsOf(market);
  expect(found.trading).toEqual(trading);
  expect(found.treasury).toEqual(naiveTreasury(lines, t));
  expect([money(penalties(market)), money(fees(market))].map(plain)).toEqual([
    shown(penaltiesOfPage),
    shown(feesOfPage),
  ]);
  const party = invoicesByParty(market);
  const invoices = naiveInvoices(lines);
  for (const name of names.map((one) => named(one) ?? '')) {
    for (const role of ['vendor', 'buyer'] as const) {
      const own = invoices.filter((invoice) => invoice[role] === name);
      const { settledOnTime, exposure } = party(role, name);
      expect([figureOf(settledOnTime), money(exposure)].map(plain)).toEqual([
        shown(naiveOnTime(own, t)),
        shown(naiveExposure(own)),
      ]);
    }
  }
}

describe('the feeds of the desk and of the treasury', () => {
  // @covers DESK-PAGE
  it('are at random moments what the page makes of all receipts', () => {
    for (let seed = 0; seed < repeats('ECONOMIES') / 4; seed += 1) {
      const values = random(1000 + seed);
      const { entries, receipts, untilMs } = deskEconomy(500 + seed, 500);
      const following = follow(receipts, cutToMinute(startMs) - minute);
      const moments = [1.5, 3, 5, 6, 7, 20, 36].map((days) => startMs + days * day + values.whole(12 * hour));
      for (const t of [...moments, cutToMinute(untilMs)].map(cutToMinute).sort((a, b) => a - b)) {
        following.advance(t, values);
        compareAt(following.market, linesAt(entries, t));
      }
    }
  });
});
