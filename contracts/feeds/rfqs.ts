import { z } from 'zod';
import { rfq as stated } from '../market.js';
import { figure } from './figure.js';
import { amount, atT, dollars, id, moment, stateHash, symbol } from './leaves.js';

const live = 'A quote is live while its request is open and not expired at t and its valid_until is after t';

const bestQuote = z.object({
  quote_id: id('The live quote with the lowest unit_price_usd, then the first quote_id', 'market.quote.quote_id'),
  agent: figure(z.string(), {
    formula:
      'The agent of the receipt with the newest statement of the quote: the identity agn_… where the handle was linked with proof as the receipt was recorded, otherwise @handle~tag',
    unit: 'text',
    window: atT,
    source: 'agent_handle',
  }),
  unit_price_usd: dollars('The price of one unit', 'market.quote.unit_price_usd'),
  quantity: amount('The quantity that is offered', 'market.quote.quantity'),
  valid_until: moment('The quote is live until this moment', 'market.quote.valid_until'),
});

/** A request for quotes. */
export const rfq = z.object({
  rfq_id: id(
    'The id of the request. The workspace whose public statement was recorded first owns it',
    'market.rfq.rfq_id',
  ),
  symbol: symbol('market.rfq.capability'),
  quantity: amount('The quantity that is requested', 'market.rfq.quantity'),
  max_unit_price_usd: figure(z.number().nullable(), {
    formula: 'The highest price of one unit that the request accepts',
    unit: 'USD',
    window: atT,
    whenNull: 'the request states none',
    source: 'market.rfq.max_unit_price_usd',
  }),
  expires_at: moment('An open request is expired from this moment on', 'market.rfq.expires_at'),
  status: figure(stated.unwrap().shape.status, {
    formula: 'The status that the owner stated last; expired where it is open and expires_at ≤ t',
    unit: 'text',
    window: atT,
    source: 'market.rfq.status, market.rfq.expires_at',
  }),
  quotes: figure(z.int(), {
    formula: 'Number of quotes, live or not, whose newest statement of their owner names this request',
    unit: 'quotes',
    window: 'all time',
    source: 'market.quote.rfq_id',
  }),
  best_quote: bestQuote.nullable().meta({ description: `The lowest live quote; null without one. ${live}` }),
  spread_usd: figure(z.number().nullable(), {
    formula: `Highest unit_price_usd of the live quotes − lowest. ${live}`,
    unit: 'USD',
    window: atT,
    whenNull: 'fewer than two quotes are live',
    source: 'market.quote.unit_price_usd, market.quote.valid_until',
  }),
  receipt_hash: stateHash('request'),
});
