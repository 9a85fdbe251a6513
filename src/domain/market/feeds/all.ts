import { type Indices, indexRows } from '../indices/rows.js';
import type { FeedValue } from '../numbers/feed-text.js';
import type { Figure } from '../numbers/figure.js';
import type { Market } from '../state/market.js';
import type { Moment } from '../state/moment.js';
import { agentRows } from './agents.js';
import { makeAttribution } from './attribution.js';
import { counterpartiesOf } from './counterparties.js';
import { discoveryFeed } from './discovery.js';
import { disputesFeed } from './disputes.js';
import type { DirectoryFilters, DisputeFilters, FigureTarget } from './questions.js';
import { createFigures } from './targets.js';
import { terminalFeed } from './terminal.js';
import { tickersOf } from './tickers.js';
import { tradingFeed } from './trading.js';
import { treasuryFeed } from './treasury.js';

/** The feeds as `recompute` names them and as their paths end. */
export const feedNames = ['terminal', 'discovery', 'standards/disputes', 'trading', 'treasury', 'attribution'] as const;
export type FeedName = (typeof feedNames)[number];

/** A pure function of the state at t, and of the facts of that moment. */
export type MakeFeed = (market: Market, moment: Moment) => FeedValue;

/** A feed with filters. The rows are computed once; the function that is returned reads nothing but these rows. */
export type MakeFiltered<F> = (market: Market, moment: Moment) => (filters: F) => FeedValue;

const indicesAt = (market: Market, { closes, t }: Moment): Indices => indexRows(market, closes, t);

const discovery: MakeFiltered<DirectoryFilters> = (market, moment) =>
  discoveryFeed(market, moment, indicesAt(market, moment));

const disputes: MakeFiltered<DisputeFilters> = disputesFeed;

const feeds: Readonly<Record<FeedName, MakeFeed>> = {
  terminal: (market, moment) => terminalFeed(market, moment, indicesAt(market, moment)),
  discovery: (market, moment) => discovery(market, moment)({}),
  'standards/disputes': (market, moment) => disputes(market, moment)({}),
  trading: tradingFeed,
  treasury: treasuryFeed,
  attribution: makeAttribution,
};

/** One feed at the t of the market, which is that of the moment. */
export const makeFeed = (name: FeedName, market: Market, moment: Moment): FeedValue => feeds[name](market, moment);

/** The nine rows of `indices` of the terminal, which the widgets show too. */
export const makeIndices: MakeFeed = (market, moment) => indicesAt(market, moment).rows;

/** Answers that are not ready-made, from rows of the same t. They stay the same when the market moves on. */
export interface Answering {
  directory(filters: DirectoryFilters): FeedValue;
  disputes(filters: DisputeFilters): FeedValue;
  /** The figure of each target; null while there is none. */
  figures(targets: readonly FigureTarget[]): readonly (Figure | number | null)[];
}

export function makeAnswering(market: Market, moment: Moment): Answering {
  const figureOf = createFigures({
    indices: indicesAt(market, moment).rows,
    tickers: tickersOf(market),
    agents: agentRows(market),
    counterparties: counterpartiesOf(market),
  });
  return {
    directory: discovery(market, moment),
    disputes: disputes(market, moment),
    figures: (targets) => targets.map(figureOf),
  };
}
