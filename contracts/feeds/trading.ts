import { z } from 'zod';
import { figure, type Meaning } from './figure.js';
import { confirmation, fill } from './fills.js';
import { feedHead } from './head.js';
import { auction, forward } from './instruments.js';
import { rfq } from './rfqs.js';
import { route } from './routing.js';
import { serviceLevel } from './service-levels.js';

const ofDay = <S extends z.ZodType>(schema: S, meaning: Omit<Meaning, 'window'>) =>
  figure(schema, { ...meaning, window: '24 h' });

const summary = z.object({
  ...feedHead(['rfqs', 'fills', 'auctions', 'forwards', 'sla_instruments', 'routing']),
  mode: figure(z.literal('non_custodial'), {
    formula: 'The desk routes work and never holds funds',
    unit: 'text',
    window: 'at t',
    source: 'a constant',
  }),
  routing_fee_pct: figure(z.literal(0.75), {
    formula: 'The fee of a confirmed fill in percent of its notional',
    unit: 'percent',
    window: 'at t',
    source: 'a constant',
  }),
  open_rfqs: figure(z.int(), {
    formula: 'Number of requests whose owner stated last that they are open and whose expires_at is after t',
    unit: 'requests',
    window: 'at t',
    source: 'market.rfq.status, market.rfq.expires_at',
  }),
  fills_24h: ofDay(z.int(), {
    formula: `Number of confirmed and reported fills, by at. ${confirmation}`,
    unit: 'fills',
    source: 'market.fill',
  }),
  notional_24h: ofDay(z.number(), {
    formula: 'Sum of notional_usd of these fills, each rounded',
    unit: 'USD',
    source: 'market.fill.quantity, market.fill.unit_price_usd',
  }),
  confirmed_share_pct: ofDay(z.number().nullable(), {
    formula: '100 × sum of notional_usd of the confirmed ones / notional_24h',
    unit: 'percent',
    whenNull: 'notional_24h is 0',
    source: 'market.fill',
  }),
  fees_24h: ofDay(z.number(), {
    formula: 'Sum of fee_usd of the confirmed ones, each rounded',
    unit: 'USD',
    source: 'market.fill.quantity, market.fill.unit_price_usd',
  }),
});

const openOrStated =
  'open ones and those that their owner stated in 30 days; the newest statement first, by ended_at, then by id';

/** The trading desk. */
export const tradingFeed = z
  .object({
    summary,
    rfqs: z.array(rfq).meta({ description: `Requests for quotes: ${openOrStated}` }),
    fills: z
      .array(fill)
      .meta({ description: 'The fills of 30 days, newest at first, then fill_id, then receipt_hash' }),
    auctions: z.array(auction).meta({ description: `Auctions: ${openOrStated}` }),
    forwards: z.array(forward).meta({ description: `Forwards: ${openOrStated}` }),
    sla_instruments: z.array(serviceLevel).meta({
      description:
        'Service levels until 30 days after their period; the latest period_end first, then sla_id, then agent',
    }),
    routing: z.array(route).meta({ description: 'Capabilities by notional of 24 h, then symbol' }),
  })
  .meta({ id: 'TradingFeed' });
