import { z } from 'zod';
import { agentRow } from './agents.js';
import { counterparty } from './counterparties.js';
import { figure, type Meaning } from './figure.js';
import { feedHead } from './head.js';
import { indexRow } from './indices.js';
import { mover, ticker } from './tickers.js';

const ofDay = <S extends z.ZodType>(schema: S, meaning: Omit<Meaning, 'window'>) =>
  figure(schema, { ...meaning, window: '24 h' });

const tracked = (things: string, source: string) =>
  figure(z.int(), {
    formula: `Number of ${things} with a task in the window`,
    unit: things,
    window: '30 days',
    source,
  });

const terminalSummary = z.object({
  ...feedHead(['tickers', 'agents', 'counterparties']),
  composite_index: figure(z.number().nullable(), {
    formula: 'value of the index CFX',
    unit: 'points',
    window: 'since the last close',
    whenNull: 'no day with a priced capability has closed',
    source: 'indices[].value',
  }),
  composite_change_pct: figure(z.number().nullable(), {
    formula: 'change_pct of the index CFX',
    unit: 'percent',
    window: 'since the last close',
    whenNull: 'no day with a priced capability has closed',
    source: 'indices[].change_pct',
  }),
  network_reliability: ofDay(z.number().nullable(), {
    formula: 'successes / (successes + partial + error) of all tasks',
    unit: '0 to 1',
    whenNull: 'no task succeeded or failed',
    source: 'status',
  }),
  avg_latency_p95: ofDay(z.int().nullable(), {
    formula:
      'Mean of latency_p95_ms as printed over all tickers, weighted by their tasks that were not refused, rounded half to even',
    unit: 'milliseconds',
    whenNull: 'no ticker has a task that was not refused',
    source: 'tickers[].latency_p95_ms',
  }),
  capabilities_tracked: tracked('capabilities', 'market.capability'),
  agents_tracked: tracked('agents', 'agent_handle'),
  vendors_tracked: tracked('vendors', 'market.vendor'),
  volume_24h: ofDay(z.int(), { formula: 'Number of all tasks', unit: 'tasks', source: 'ended_at' }),
  notional_24h: ofDay(z.number(), {
    formula: 'Sum of cost_usd of all tasks, with any status',
    unit: 'USD',
    source: 'cost_usd',
  }),
  top_movers: z.array(mover).max(5).meta({
    description:
      'The tickers with the largest change of the price, up or down, then by symbol; thin ones and those without a change are left out',
  }),
});

/** The market at a glance. */
export const terminalFeed = z
  .object({
    summary: terminalSummary,
    indices: z.array(indexRow).length(9).readonly(),
    tickers: z.array(ticker).readonly(),
    agents: z.array(agentRow).readonly(),
    counterparties: z.array(counterparty).readonly(),
  })
  .meta({
    id: 'TerminalFeed',
    description: 'Indices, prices and names of the market. Names are as their submitters wrote them.',
  });
