import { z } from 'zod';
import { figure, type Meaning } from './figure.js';

const ofParty = 'receipts of the vendor, or that name the buyer in market.counterparty';
const ofInvoices =
  'market.settlement of the owner of each invoice. The vendor of an invoice is that of its newest statement; its buyer is settlement.counterparty, otherwise market.counterparty';

const ofDay = <S extends z.ZodType>(schema: S, meaning: Omit<Meaning, 'window'>) =>
  figure(schema, { ...meaning, window: '24 h' });

/** A row of `counterparties`. */
export const counterparty = z
  .object({
    name: figure(z.string(), {
      formula:
        'A vendor or a buyer with a task in 30 days, in NFC and without spaces around it. Ordered by notional_24h, the largest first, then by name, a vendor before a buyer',
      unit: 'text',
      window: '30 days',
      source: 'market.vendor, otherwise the vendor of the identity, otherwise platform; market.counterparty',
    }),
    role: figure(z.enum(['vendor', 'buyer']), {
      formula: 'vendor: who runs the agent. buyer: for whom the task was done',
      unit: 'text',
      window: '30 days',
      source: 'market.vendor, market.counterparty',
    }),
    tasks_24h: ofDay(z.int(), { formula: 'Number of tasks', unit: 'tasks', source: ofParty }),
    notional_24h: ofDay(z.number(), {
      formula: 'Sum of cost_usd of all tasks, with any status',
      unit: 'USD',
      source: `cost_usd of ${ofParty}`,
    }),
    share_pct: ofDay(z.number().nullable(), {
      formula: '100 × notional_24h / sum of cost_usd of the receipts of 24 h that name a counterparty of the same role',
      unit: 'percent',
      whenNull: 'that sum is 0',
      source: 'cost_usd, market.vendor, market.counterparty',
    }),
    agents: figure(z.int(), {
      formula: 'Number of agents with a task of this counterparty',
      unit: 'agents',
      window: '30 days',
      source: `agent_handle of ${ofParty}`,
    }),
    settled_on_time_rate: figure(z.number().nullable(), {
      formula: 'Of its invoices with due_at in the window, those that are settled or refunded with settled_at ≤ due_at',
      unit: '0 to 1',
      window: '30 days',
      whenNull: 'no invoice was due',
      source: ofInvoices,
    }),
    open_disputes: figure(z.int(), {
      formula: 'Number of open cases whose respondent has this name',
      unit: 'cases',
      window: 'at t',
      source: 'market.dispute of the owner of each case',
    }),
    exposure_usd: figure(z.number(), {
      formula: 'Sum of amount × usd_rate, rounded half to even to 0.000001 for each invoice, of its initiated invoices',
      unit: 'USD',
      window: 'at t',
      source: ofInvoices,
    }),
  })
  .meta({ id: 'Counterparty', description: 'A vendor of agents, or a buyer of their work.' });
