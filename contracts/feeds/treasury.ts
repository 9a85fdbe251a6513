import { z } from 'zod';
import { shownSettlement } from '../market.js';
import { figure, type Meaning } from './figure.js';
import { feedHead } from './head.js';

const usd =
  'The USD of an invoice is the amount × usd_rate of its newest statement (highest seq), rounded half to even to 6 decimals; dollars have the rate 1, also where another is stated';
const settledAt =
  'settled_at is the last one that was stated, otherwise ended_at of the first statement with the status settled';

const dollars = (formula: string, window: string, source: string) =>
  figure(z.number(), { formula, unit: 'USD', window, source });

const ofMonth = <S extends z.ZodType>(schema: S, meaning: Omit<Meaning, 'window'>) =>
  figure(schema, { ...meaning, window: '30 days' });

const amounts = 'market.settlement.amount, market.settlement.usd_rate, market.settlement.status';

const summary = z.object({
  ...feedHead(['rails', 'reconciliation', 'fx', 'float']),
  settled_24h: dollars(
    `Sum of the USD of the invoices whose state is settled, by settled_at. ${usd}; ${settledAt}`,
    '24 h',
    `${amounts}, market.settlement.settled_at`,
  ),
  outstanding_usd: dollars('Sum of the USD of the invoices whose state is initiated', 'at t', amounts),
  overdue_usd: dollars(
    'Sum of the USD of the invoices whose state is initiated and whose due_at is before t',
    'at t',
    `${amounts}, market.settlement.due_at`,
  ),
  on_time_rate: ofMonth(z.number().nullable(), {
    formula: `Of the invoices with due_at in the window, the part whose state is settled or refunded with settled_at ≤ due_at. ${settledAt}`,
    unit: '0 to 1',
    whenNull: 'no invoice was due',
    source: 'market.settlement.due_at, market.settlement.settled_at, market.settlement.status, ended_at',
  }),
});

const ofRail = 'of the rail whose newest statement is of a task in the window';

const rail = z.object({
  rail: ofMonth(shownSettlement.unwrap().shape.rail, {
    formula: 'The rail of the newest statement of an invoice. The largest volume comes first, then the name',
    unit: 'text',
    source: 'market.settlement.rail',
  }),
  count: ofMonth(z.int(), {
    formula: `Number of invoices ${ofRail}, with any status`,
    unit: 'invoices',
    source: 'market.settlement',
  }),
  volume_usd: dollars(`Sum of the USD of the invoices ${ofRail}, with any status`, '30 days', amounts),
  success_rate: ofMonth(z.number().nullable(), {
    formula: `settled / (settled + failed + refunded) of the invoices ${ofRail}, by their state`,
    unit: '0 to 1',
    whenNull: 'all are initiated',
    source: 'market.settlement.status',
  }),
  median_settle_hours: ofMonth(z.number().nullable(), {
    formula: `Median of settled_at − ended_at of the first statement, over the settled and refunded invoices ${ofRail} that have a settled_at, by the buckets of quantiles in whole milliseconds, / 3,600,000. ${settledAt}`,
    unit: 'hours',
    whenNull: 'there is no such invoice',
    source: 'market.settlement.settled_at, ended_at',
  }),
});

const reconciliation = z.object({
  invoice: ofMonth(z.string(), {
    formula: 'The public tag of an invoice whose newest statement is of a task in the window',
    unit: 'hex',
    source: 'market.settlement.invoice_id, which is private',
  }),
  state: ofMonth(z.enum(['matched', 'unmatched', 'short', 'over']), {
    formula:
      'unmatched unless the invoice is settled; then matched where difference_usd is 0, short below 0, over above 0',
    unit: 'text',
    source: 'difference_usd of the same row, market.settlement.status',
  }),
  difference_usd: dollars(
    'The USD of the invoice, 0 unless its state is settled, − sum of cost_usd of all public receipts of the workspace that carry the invoice. The largest difference, up or down, comes first, then the state, then the tag',
    'all time',
    `${amounts}, cost_usd`,
  ),
});

const settledInMonth = 'the invoices of the currency whose state is settled with settled_at in the window';

const currency = z.object({
  currency: ofMonth(z.string(), {
    formula: `A currency other than USD with settled invoices in the window, by settled_at. The largest sum of USD comes first, then the name. ${settledAt}`,
    unit: 'text',
    source: 'market.settlement.currency',
  }),
  volume: ofMonth(z.number(), {
    formula: `Sum of amount of ${settledInMonth}`,
    unit: 'units of the currency',
    source: 'market.settlement.amount',
  }),
  vwap_usd_rate: ofMonth(z.number().nullable(), {
    formula: `Sum of amount × usd_rate / sum of amount, over ${settledInMonth}, with 12 decimals`,
    unit: 'USD for one unit of the currency',
    whenNull: 'volume is 0',
    source: 'market.settlement.amount, market.settlement.usd_rate',
  }),
  last_usd_rate: ofMonth(z.number(), {
    formula: `usd_rate of the last of ${settledInMonth}: by settled_at, then by recorded order of the newest statement, with 12 decimals`,
    unit: 'USD for one unit of the currency',
    source: 'market.settlement.usd_rate',
  }),
});

const float = z.object({
  rail: figure(shownSettlement.unwrap().shape.rail, {
    formula: 'A rail with initiated invoices whose USD is above 0. The largest amount comes first, then the name',
    unit: 'text',
    window: 'at t',
    source: 'market.settlement.rail',
  }),
  initiated_not_settled_usd: dollars(
    'Sum of the USD of the invoices of the rail whose state is initiated',
    'at t',
    amounts,
  ),
});

const days = (direction: string) =>
  ofMonth(z.number().nullable(), {
    formula: `30 × sum of the USD of the initiated ${direction}s / sum of the USD of the ${direction}s whose first statement ended in the window`,
    unit: 'days',
    whenNull: `no ${direction} was first stated in the window, or their USD is 0`,
    source: `${amounts}, market.settlement.direction, ended_at`,
  });

/** Invoices and money on its way. */
export const treasuryFeed = z
  .object({
    summary,
    rails: z.array(rail),
    reconciliation: z.array(reconciliation),
    fx: z.array(currency),
    float: z.array(float),
    working_capital: z.object({
      dso_days: days('receivable'),
      dpo_days: days('payable'),
      cash_conversion_days: ofMonth(z.number().nullable(), {
        formula: 'dso_days − dpo_days, from the exact values',
        unit: 'days',
        whenNull: 'dso_days or dpo_days is null',
        source: 'dso_days, dpo_days',
      }),
    }),
  })
  .meta({ id: 'TreasuryFeed' });
