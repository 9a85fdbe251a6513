import { z } from 'zod';
import { indexIds } from '../index-ids.js';
import { figure, type Meaning } from './figure.js';

const cells =
  'V (sum of cost_usd), q (successes that state a cost) and p95 of a capability over the on-time receipts of the seven closed days that end with the day, not before the base day; V and q divided by the number of these days; p = V/q';
const matched = 'M = the capabilities (of the sector) with V > 0 and q > 0 on both days';

/** How the level of each index follows from that of the day before. */
const levels = [
  'CFX, and CFX.BUILD, CFX.KNOW, CFX.SERVE and CFX.TRANSACT over the capabilities of one sector: round₆(level before × √(Σp₀q₁/Σp₀q₀ · Σp₁q₁/Σp₁q₀)) over M',
  'CFX.COST: round₆(level before × √(Σp₁q₀/Σp₀q₀ · Σp₁q₁/Σp₀q₁)) over M',
  'CFX.LAT: round₆(level before × 1.02^x), x = Σ over M of ½(s₀ + s₁)(k₁ − k₀), k the bucket of p95 and s the share of the notional of M',
  'CFX.REL: 1000 × success_rate of the day / success_rate of the base day',
  'CFX.HHI: 10,000 × sum over vendors of (notional of the vendor / notional)² of the day',
  `Each link goes from the last day with a priced capability to the present one: ${cells}; ${matched}. An empty M links with 1. The level of the base day is 1000. A day without data repeats the level before`,
].join('. ');

const asOfClose = <S extends z.ZodType>(schema: S, meaning: Omit<Meaning, 'window'>) =>
  figure(schema, { ...meaning, window: 'the closed days' });

const beforeClose = 'no day of the index has closed yet';
const tasks = 'cost_usd, status, started_at, ended_at, market.capability, market.sector, market.vendor';

const history = z.object({
  day: asOfClose(z.string(), {
    formula:
      'A closed day of UTC: one of the last 30, from the base day on, oldest first; the open day is not among them',
    unit: 'day',
    source: 'entries index.closed of the registry chain',
  }),
  value: asOfClose(z.number(), {
    formula: `The level with which the day closed. ${levels}`,
    unit: 'points',
    source: `levels in the entries index.closed, from ${tasks} of on-time receipts`,
  }),
});

/** A row of `indices`. */
export const indexRow = z
  .object({
    id: asOfClose(z.enum(indexIds), {
      formula: 'The id of the index. All nine rows are always there, in this order',
      unit: 'text',
      source: 'a constant',
    }),
    name: asOfClose(z.string(), { formula: 'The name of the index', unit: 'text', source: 'a constant' }),
    kind: asOfClose(z.enum(['composite', 'sub', 'factor']), {
      formula:
        'composite: CFX. sub: an index of one sector. factor: an index of cost, reliability, latency or concentration',
      unit: 'text',
      source: 'a constant',
    }),
    value: figure(z.number().nullable(), {
      formula:
        'Level of the last close × link from the last priced day of the index to the cells of the trailing 168 h (not before the base day, divided by their length in days), of all receipts recorded by t. CFX.REL and CFX.HHI: their figure of the trailing 24 h, of all receipts; without data there the last close',
      unit: 'points; for CFX.HHI 0 to 10,000',
      window: '168 h; for CFX.REL and CFX.HHI 24 h',
      whenNull: beforeClose,
      source: `the last level, and ${tasks}`,
    }),
    change_pct: figure(z.number().nullable(), {
      formula: '100 × (value / level of the last close − 1), from the value before rounding',
      unit: 'percent',
      window: 'since the last close',
      whenNull: `${beforeClose}, or the level of the last close is 0`,
      source: 'value, and levels in the last entry index.closed',
    }),
    base_day: asOfClose(z.string().nullable(), {
      formula:
        'The first closed day with a priced capability (of the sector); for CFX.REL the first with success_rate > 0',
      unit: 'day',
      whenNull: `${beforeClose}, and always for CFX.HHI, which is not chained`,
      source: 'market.capability, cost_usd, status of on-time receipts',
    }),
    drift_pct: asOfClose(z.number().nullable(), {
      formula:
        '100 × (level(d) / level(d₀) / F(d₀, d) − 1): d the last priced closed day, d₀ the last priced closed day at or before d − 30, F the direct link between their cells',
      unit: 'percent',
      whenNull: 'there is no d₀, no capability is priced on both days, or the index is CFX.REL or CFX.HHI',
      source: `levels in the entries index.closed, and ${tasks} of on-time receipts`,
    }),
    history: z.array(history).max(30).readonly(),
    receipt_id: asOfClose(z.string().nullable(), {
      formula: 'The receipt of the last close, an entry index.closed of the registry chain',
      unit: 'id',
      whenNull: 'no day has closed yet',
      source: 'entries index.closed of the registry chain',
    }),
    band: figure(z.enum(['low', 'moderate', 'high']).nullable(), {
      formula: 'Of value: low below 1000, moderate from 1000 to 1800, high above. Only CFX.HHI has this member',
      unit: 'text',
      window: '24 h',
      whenNull: beforeClose,
      source: 'value of CFX.HHI',
    }).exactOptional(),
  })
  .meta({ id: 'IndexRow', description: 'An index of the market.' });
