import { z } from 'zod';
import * as market from '../market.js';
import { figure } from './figure.js';
import { confirmation } from './fills.js';
import { amount, atT, dollars, id, moment, stateHash, symbol } from './leaves.js';

const status = <S extends z.ZodType>(schema: S, object: string, source: string) =>
  figure(schema, {
    formula: `The status that the owner of the ${object} stated last`,
    unit: 'text',
    window: atT,
    source,
  });

const optional = (formula: string, unit: string, source: string) =>
  figure(z.number().nullable(), { formula, unit, window: atT, whenNull: 'none is stated', source });

const auctionShape = market.auction.unwrap().shape;

export const auction = z.object({
  auction_id: id(
    'The id of the auction. The workspace whose public statement was recorded first owns it',
    'market.auction.auction_id',
  ),
  symbol: symbol('market.auction.capability'),
  type: figure(auctionShape.type, {
    formula: 'The type of the auction as stated',
    unit: 'text',
    window: atT,
    source: 'market.auction.type',
  }),
  quantity: amount('The quantity that is auctioned', 'market.auction.quantity'),
  reserve_usd: optional('The reserve price', 'USD', 'market.auction.reserve_usd'),
  closes_at: moment('When the auction closes, as stated', 'market.auction.closes_at'),
  status: status(auctionShape.status, 'auction', 'market.auction.status'),
  bids: figure(z.int().nullable(), {
    formula: 'The number of bids as stated',
    unit: 'bids',
    window: atT,
    whenNull: 'none is stated',
    source: 'market.auction.bids',
  }),
  clearing_price_usd: optional('The price at which it cleared, as stated', 'USD', 'market.auction.clearing_price_usd'),
  receipt_hash: stateHash('auction'),
});

export const forward = z.object({
  forward_id: id(
    'The id of the forward. The workspace whose public statement was recorded first owns it',
    'market.forward.forward_id',
  ),
  symbol: symbol('market.forward.capability'),
  quantity: amount('The quantity to be delivered', 'market.forward.quantity'),
  unit_price_usd: dollars('The agreed price of one unit', 'market.forward.unit_price_usd'),
  delivery_at: moment('The moment of delivery, as stated', 'market.forward.delivery_at'),
  status: status(market.forward.unwrap().shape.status, 'forward', 'market.forward.status'),
  mark_usd: figure(z.number().nullable(), {
    formula: `unit_price_usd of the newest confirmed fill of the capability: the one with the latest at ≤ t, then the first fill_id, then the first receipt_hash. ${confirmation}`,
    unit: 'USD',
    window: 'all time',
    whenNull: 'no fill of the capability was confirmed',
    source: 'market.fill.unit_price_usd',
  }),
  unrealised_usd: figure(z.number().nullable(), {
    formula: '(mark_usd − unit_price_usd) × quantity of the same row',
    unit: 'USD',
    window: atT,
    whenNull: 'the forward is not open, or mark_usd is null',
    source: 'mark_usd, market.forward.unit_price_usd, market.forward.quantity',
  }),
  receipt_hash: stateHash('forward'),
});
