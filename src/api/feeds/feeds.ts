import { Refusal } from '../../../contracts/errors.js';
import { attributionFeed } from '../../../contracts/feeds/attribution.js';
import { discoveryFeed, discoveryQuery } from '../../../contracts/feeds/discovery.js';
import { disputeQuery, disputesFeed } from '../../../contracts/feeds/disputes.js';
import { terminalFeed } from '../../../contracts/feeds/terminal.js';
import { tradingFeed } from '../../../contracts/feeds/trading.js';
import { treasuryFeed } from '../../../contracts/feeds/treasury.js';
import { orLate } from '../../base/deadline.js';
import { type FeedName, makeFeed } from '../../domain/market/feeds/all.js';
import { feedText } from '../../domain/market/feeds/feed-text.js';
import type { Filtered } from '../../domain/market/feeds/served.js';
import { noCloses, openCloses } from '../../domain/market/indices/closes.js';
import { createMarket } from '../../domain/market/state/market.js';
import { openFrontier } from '../../verifier/frontier.js';
import { Representations } from '../answer.js';
import { type Client, type Operation, operation } from '../operation.js';
import { clientOf } from '../rate-limits.js';
import type { MarketView } from './view.js';

const t = Date.parse('2026-03-14T09:26:00.000Z');

const moment = {
  t,
  receipts: 0,
  root: Buffer.from(openFrontier().root()).toString('hex'),
  logSize: 0,
  closes: openCloses(noCloses),
};

/** A feed before the first public receipt: every named key is there. */
const exampleFeed = (name: FeedName): unknown => JSON.parse(feedText(makeFeed(name, createMarket(t), moment)));

/** The public feeds: every figure is a function of public task receipts and of a moment. */

const common = {
  method: 'GET',
  access: 'anybody',
  serving: { publicFeed: true },
  refusals: ['invalid_request'],
} as const;

const ofOneMoment =
  'All figures are of the moment `as_of`, which moves on every minute. Names are as their submitters wrote them.';

export const terminalFeedOperation = operation({
  ...common,
  path: '/v1/terminal',
  summary: 'Indices, tickers, agents and counterparties',
  answers: { 200: terminalFeed },
  documentation: {
    id: 'getTerminal',
    description: ofOneMoment,
    answers: { 200: { description: 'The terminal.', body: exampleFeed('terminal') } },
  },
  handle: async (_request, { service: { feeds } }) => newestFeed(feeds, 'terminal'),
});

export const discoveryFeedOperation = operation({
  ...common,
  path: '/v1/discovery',
  summary: 'The directory of agents and vendors',
  query: discoveryQuery,
  answers: { 200: discoveryFeed },
  documentation: {
    id: 'getDiscovery',
    description: `${ofOneMoment} Filters keep the agents and vendors that match all of them; everything else stays whole.`,
    query: { verified: 'true' },
    answers: { 200: { description: 'The directory.', body: exampleFeed('discovery') } },
  },
  handle: async ({ client, query: filters }, { service: { feeds } }) =>
    filteredFeed(feeds, client, { feed: 'discovery', filters }),
});

export const disputesFeedOperation = operation({
  ...common,
  path: '/v1/standards/disputes',
  summary: 'Disputes, their rulings, and what they did to trust',
  query: disputeQuery,
  answers: { 200: disputesFeed },
  documentation: {
    id: 'getDisputes',
    description: `${ofOneMoment} Filters keep the cases that are equal in every field that is given; the stats stay whole.`,
    query: { ruling: 'upheld' },
    answers: { 200: { description: 'The cases.', body: exampleFeed('standards/disputes') } },
  },
  handle: async ({ client, query: filters }, { service: { feeds } }) =>
    filteredFeed(feeds, client, { feed: 'standards/disputes', filters }),
});

export const tradingFeedOperation = operation({
  ...common,
  path: '/v1/trading',
  summary: 'The trading desk: requests, fills, auctions, forwards, service levels and routing',
  answers: { 200: tradingFeed },
  documentation: {
    id: 'getTrading',
    description: `${ofOneMoment} The desk routes and never holds funds.`,
    answers: { 200: { description: 'The desk.', body: exampleFeed('trading') } },
  },
  handle: async (_request, { service: { feeds } }) => newestFeed(feeds, 'trading'),
});

export const treasuryFeedOperation = operation({
  ...common,
  path: '/v1/treasury',
  summary: 'Settlements: rails, reconciliation, currencies and working capital',
  answers: { 200: treasuryFeed },
  documentation: {
    id: 'getTreasury',
    description: ofOneMoment,
    answers: { 200: { description: 'The treasury.', body: exampleFeed('treasury') } },
  },
  handle: async (_request, { service: { feeds } }) => newestFeed(feeds, 'treasury'),
});

export const attributionFeedOperation = operation({
  ...common,
  path: '/v1/attribution',
  summary: 'The value of workflows, shared among their agents',
  answers: { 200: attributionFeed },
  documentation: {
    id: 'getAttribution',
    description: `${ofOneMoment} The value of a workflow is shared by its Shapley value.`,
    answers: { 200: { description: 'The shares.', body: exampleFeed('attribution') } },
  },
  handle: async (_request, { service: { feeds } }) => newestFeed(feeds, 'attribution'),
});

export const feedOperations: readonly Operation[] = [
  terminalFeedOperation,
  discoveryFeedOperation,
  disputesFeedOperation,
  tradingFeedOperation,
  treasuryFeedOperation,
  attributionFeedOperation,
];

/** How long a request waits at most for the first feeds after a start. */
const firstMs = 2000;

/** The newest bytes of a feed. @throws Refusal not_ready before there are any */
async function newestFeed(view: MarketView, name: FeedName) {
  const newest = view.newest ?? (await firstFeeds(view));
  if (newest === null) throw new Refusal('not_ready', 'The public figures are being computed. Retry shortly.');
  const encoded = newest.feeds[name];
  return { status: 200, body: new Representations((coding) => encoded[coding]) } as const;
}

async function firstFeeds(view: MarketView): Promise<MarketView['newest']> {
  await orLate(firstMs, view.begun, undefined);
  return view.newest;
}

/** A part of a feed, or the ready-made bytes where no filter is given. */
async function filteredFeed(view: MarketView, { address }: Pick<Client, 'address'>, request: Filtered) {
  const isWhole = Object.values(request.filters).every((filter) => filter === undefined);
  if (isWhole || view.newest === null) return newestFeed(view, request.feed);
  return {
    status: 200,
    body: new Representations((coding) => view.filtered(clientOf(address), request, coding)),
  } as const;
}
