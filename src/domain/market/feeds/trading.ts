import { bounds } from '../../../../contracts/feeds/bounds.js';
import { Figure } from '../numbers/figure.js';
import { firstOf, listOf } from '../numbers/lists.js';
import { isOpenAt } from '../state/desk.js';
import { byNewestFill, feeParts } from '../state/fills.js';
import type { Market } from '../state/market.js';
import { monthMs } from '../state/windows.js';
import { auctionRow, byNewestStatement, forwardRow, rfqRow } from '../trading/desk.js';
import { fillRow, fillsOfDay } from '../trading/fills.js';
import { routeRow, routes } from '../trading/routing.js';
import { byLatestEnd, serviceLevelRow } from '../trading/service-level.js';
import type { FeedValue } from './feed-text.js';
import { feedHead, type Moment } from './head.js';

/** The trading desk. It routes and never holds funds. */
export function tradingFeed(market: Market, moment: Moment): FeedValue {
  const { desk, fills, serviceLevels, t } = market;
  const rfqs = desk.rfqs.at(t);
  const lists = {
    rfqs: firstOf(rfqs, bounds.rfqs, byNewestStatement),
    fills: firstOf([...fills.between(t - monthMs, t)].flat(), bounds.fills, byNewestFill),
    auctions: firstOf(desk.auctions.at(t), bounds.auctions, byNewestStatement),
    forwards: firstOf(desk.forwards.at(t), bounds.forwards, byNewestStatement),
    sla_instruments: firstOf(serviceLevels.at(t), bounds.sla_instruments, byLatestEnd),
    routing: listOf(routes(market), bounds.routing),
  };
  return {
    summary: {
      ...feedHead(moment, lists),
      mode: 'non_custodial',
      routing_fee_pct: routingFee,
      open_rfqs: rfqs.filter(({ owner }) => isOpenAt(owner.newest.said, t)).length,
      ...fillsOfDay(market),
    },
    rfqs: lists.rfqs.rows.map((rfq) => rfqRow(market, rfq)),
    fills: lists.fills.rows.map(fillRow),
    auctions: lists.auctions.rows.map(auctionRow),
    forwards: lists.forwards.rows.map((forward) => forwardRow(market, forward)),
    sla_instruments: lists.sla_instruments.rows.map((level) => serviceLevelRow(market, level)),
    routing: lists.routing.rows.map(routeRow),
  };
}

/** In percent. */
const routingFee = new Figure(100n * feeParts.part, 4);
