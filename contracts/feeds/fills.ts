import { z } from 'zod';
import { figure, type Meaning } from './figure.js';

const window = '30 days';

const leaf = <S extends z.ZodType>(schema: S, meaning: Omit<Meaning, 'window'>) =>
  figure(schema, { ...meaning, window });

const stated = (name: string) => ({ unit: 'text', source: `market.fill.${name}` });

const optionalId = (name: 'rfq_id' | 'auction_id' | 'forward_id' | 'quote_id') =>
  leaf(z.string().nullable(), {
    formula: `The ${name} of the buy side, otherwise of the sell side`,
    ...stated(name),
    whenNull: 'neither side states one',
  });

const party = (role: string, side: string) =>
  leaf(z.string().nullable(), {
    formula: `The ${role} as the ${side} side names it, in NFC and without spaces around it`,
    ...stated('counterparty'),
    whenNull: `there is no ${side} side, or its name is only white space`,
  });

/** How receipts make fills; every figure of fills uses these words. */
export const confirmation =
  'Of each workspace the newest statement under a fill_id counts. A buy and a sell of two workspaces that agree in fill_id, capability, quantity and unit_price_usd, the one of each side that was recorded first, are one confirmed fill; every other statement is one reported fill';

/** A purchase of work. */
export const fill = z.object({
  fill_id: leaf(z.string(), { formula: 'The id of the fill, which has no owner', ...stated('fill_id') }),
  symbol: leaf(z.string(), {
    formula: 'The capability in capitals with a dot for each hyphen',
    ...stated('capability'),
  }),
  quantity: leaf(z.number(), {
    formula: 'The quantity that was bought',
    unit: 'units',
    source: 'market.fill.quantity',
  }),
  unit_price_usd: leaf(z.number(), {
    formula: 'The price of one unit',
    unit: 'USD',
    source: 'market.fill.unit_price_usd',
  }),
  notional_usd: leaf(z.number(), {
    formula: 'quantity × unit_price_usd, rounded half to even to 6 decimals',
    unit: 'USD',
    source: 'market.fill.quantity, market.fill.unit_price_usd',
  }),
  fee_usd: leaf(z.number().nullable(), {
    formula: '0.0075 × quantity × unit_price_usd, rounded half to even to 6 decimals once',
    unit: 'USD',
    whenNull: 'the fill is reported only',
    source: 'market.fill.quantity, market.fill.unit_price_usd',
  }),
  state: leaf(z.enum(['confirmed', 'reported']), { formula: confirmation, unit: 'text', source: 'market.fill' }),
  buyer: party('buyer', 'sell'),
  seller: party('seller', 'buy'),
  rfq_id: optionalId('rfq_id'),
  auction_id: optionalId('auction_id'),
  forward_id: optionalId('forward_id'),
  quote_id: optionalId('quote_id'),
  at: leaf(z.iso.datetime(), {
    formula: 'ended_at of the task of the statement; of a confirmed fill the later one of both sides',
    unit: 'moment',
    source: 'ended_at',
  }),
  receipt_hash: leaf(z.string(), {
    formula: 'The hash of the receipt with the statement; of a confirmed fill that of the side that was recorded later',
    unit: 'hex',
    source: 'receipt_hash',
  }),
});
