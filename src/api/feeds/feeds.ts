import { attributionFeed } from '../../../contracts/feeds/attribution.js';
import { discoveryFeed, discoveryQuery } from '../../../contracts/feeds/discovery.js';
import { disputeQuery, disputesFeed } from '../../../contracts/feeds/disputes.js';
import { terminalFeed } from '../../../contracts/feeds/terminal.js';
import { tradingFeed } from '../../../contracts/feeds/trading.js';
import { treasuryFeed } from '../../../contracts/feeds/treasury.js';
import { type Operation, operation } from '../operation.js';
import { exampleFeed } from './examples.js';
import { filteredFeed, newestFeed } from './serve.js';

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
