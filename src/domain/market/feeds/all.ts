import type { Figure } from '../numbers/figure.js';
import type { Market } from '../state/market.js';
import { makeAttribution } from './attribution.js';
import { discoveryFeed } from './discovery.js';
import { disputesFeed } from './disputes.js';
import type { FeedValue } from './feed-text.js';
import type { Moment } from './head.js';
import type { DirectoryFilters, DisputeFilters, FigureTarget } from './questions.js';
import { createFigures, type SharedRows, sharedRows } from './rows.js';
import { terminalFeed } from './terminal.js';
import { tradingFeed } from './trading.js';
import { treasuryFeed } from './treasury.js';

/** The feeds as `recompute` names them and as their paths end. */
export const feedNames = ['terminal', 'discovery', 'standards/disputes', 'trading', 'treasury', 'attribution'] as const;
export type FeedName = (typeof feedNames)[number];

/** A pure function of the state at t, of the facts of that moment, and of rows that are made of both. */
type MakeFeed = (market: Market, moment: Moment, rows: SharedRows) => FeedValue;

const feeds: Readonly<Record<FeedName, MakeFeed>> = {
  terminal: terminalFeed,
  discovery: (market, moment, rows) => discoveryFeed(market, moment, rows)({}),
  'standards/disputes': (market, moment) => disputesFeed(market, moment)({}),
  trading: tradingFeed,
  treasury: treasuryFeed,
  attribution: makeAttribution,
};

/** One feed at the t of the market, which is that of the moment. @param rows of this moment, for a caller that makes more than one */
export const makeFeed = (
  name: FeedName,
  market: Market,
  moment: Moment,
  rows: SharedRows = sharedRows(market, moment),
): FeedValue => feeds[name](market, moment, rows);

/** Answers that are not ready-made, from rows of the same t. They stay the same when the market moves on. */
export interface Answering {
  directory(filters: DirectoryFilters): FeedValue;
  disputes(filters: DisputeFilters): FeedValue;
  /** The figure of each target; null while there is none. */
  figures(targets: readonly FigureTarget[]): readonly (Figure | number | null)[];
}

export function makeAnswering(market: Market, moment: Moment, rows: SharedRows): Answering {
  const figureOf = createFigures({ ...rows, indices: rows.indices.rows });
  return {
    directory: discoveryFeed(market, moment, rows),
    disputes: disputesFeed(market, moment),
    figures: (targets) => targets.map(figureOf),
  };
}
