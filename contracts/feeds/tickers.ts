import { z } from 'zod';
import { figure, type Meaning } from './figure.js';

const day = '24 h';
const amount = z.number();
const capabilityTasks = 'receipts with this market.capability';

const ofDay = <S extends z.ZodType>(schema: S, meaning: Omit<Meaning, 'window'>) =>
  figure(schema, { ...meaning, window: day });

/** The members that tickers and top movers share. */
const symbol = figure(z.string(), {
  formula: 'The capability in capitals, with . instead of -',
  unit: 'text',
  window: '30 days',
  source: 'market.capability',
});
const price = ofDay(amount.nullable(), {
  formula: 'Sum of cost_usd of all tasks / number of successes that state a cost',
  unit: 'USD',
  whenNull: 'no success states a cost',
  source: `cost_usd and status of ${capabilityTasks}`,
});
const priceChange = figure(amount.nullable(), {
  formula: '100 × (price of 24 h / price of the 24 hours before − 1), from the exact prices',
  unit: 'percent',
  window: '24 h, and the 24 hours before',
  whenNull: 'one of the two prices is null, or the earlier one is 0',
  source: `cost_usd and status of ${capabilityTasks}`,
});

/** A row of `summary.top_movers`. */
export const mover = z
  .object({ symbol, price_usd: price, change_pct: priceChange })
  .meta({ id: 'Mover', description: 'A capability whose price has changed.' });

const history = z.object({
  day: figure(z.string(), {
    formula:
      'A day of UTC with a task of the capability, among the 30 days before that of t; oldest first. A task belongs to the day of its ended_at, also when it was recorded later',
    unit: 'day',
    window: 'the 30 days of UTC before that of t',
    source: 'ended_at',
  }),
  price_usd: figure(amount.nullable(), {
    formula: 'Sum of cost_usd of all tasks of the day / number of its successes that state a cost',
    unit: 'USD',
    window: 'one day of UTC',
    whenNull: 'no success of the day states a cost',
    source: `cost_usd and status of ${capabilityTasks}`,
  }),
  volume: figure(z.int(), {
    formula: 'Number of tasks that ended on the day',
    unit: 'tasks',
    window: 'one day of UTC',
    source: `ended_at of ${capabilityTasks}`,
  }),
});

const latency = (name: string, percent: number) =>
  ofDay(z.int().nullable(), {
    formula: `${name} of ended_at − started_at: with n tasks that were not refused, the bucket k of the ⌈${percent / 100} n⌉-th smallest, where bucket k has 1.02^k ≤ max(1, ms) < 1.02^(k+1), printed as 1.02^(k+½) in whole milliseconds`,
    unit: 'milliseconds',
    whenNull: 'every task was refused, or there is none',
    source: `started_at, ended_at and status of ${capabilityTasks}`,
  });

const rates = {
  success_rate: ofDay(amount.nullable(), {
    formula: 'successes / (successes + partial + error)',
    unit: '0 to 1',
    whenNull: 'no task succeeded or failed',
    source: `status of ${capabilityTasks}`,
  }),
  refusal_rate: ofDay(amount.nullable(), {
    formula: '(tool_denied + policy_blocked) / tasks',
    unit: '0 to 1',
    whenNull: 'there is no task',
    source: `status of ${capabilityTasks}`,
  }),
  latency_p50_ms: latency('The median', 50),
  latency_p95_ms: latency('The 95 % quantile', 95),
};

/** A row of `tickers`. */
export const ticker = z
  .object({
    symbol,
    capability: figure(z.string(), {
      formula: 'A capability with a task in 30 days. Ordered by notional_24h, the largest first, then by symbol',
      unit: 'text',
      window: '30 days',
      source: 'market.capability',
    }),
    sector: figure(z.enum(['build', 'know', 'serve', 'transact']), {
      formula:
        'The sector that the first public receipt by (recorded_at, hash) names for the capability; know without one',
      unit: 'text',
      window: 'all time',
      source: 'market.sector, market.capability',
    }),
    price_usd: price,
    change_pct: priceChange,
    volume_24h: ofDay(z.int(), { formula: 'Number of tasks', unit: 'tasks', source: capabilityTasks }),
    notional_24h: ofDay(amount, {
      formula: 'Sum of cost_usd of all tasks, with any status',
      unit: 'USD',
      source: `cost_usd of ${capabilityTasks}`,
    }),
    ...rates,
    agents: ofDay(z.int(), {
      formula: 'Number of agents with a task',
      unit: 'agents',
      source: `agent_handle of ${capabilityTasks}`,
    }),
    vendors: ofDay(z.int(), {
      formula: 'Number of vendors with a task',
      unit: 'vendors',
      source: `market.vendor of ${capabilityTasks}`,
    }),
    hhi: ofDay(amount.nullable(), {
      formula: '10,000 × sum over vendors of (notional of the vendor / notional)²',
      unit: '0 to 10,000',
      whenNull: 'the notional is 0',
      source: `cost_usd and market.vendor of ${capabilityTasks}`,
    }),
    thin: ofDay(z.boolean(), {
      formula: 'Whether there are fewer than 20 tasks, or tasks of fewer than 3 workspaces',
      unit: 'true or false',
      source: `the workspaces that submitted ${capabilityTasks}`,
    }),
    last_at: figure(z.iso.datetime(), {
      formula: 'The newest ended_at at t or before',
      unit: 'moment',
      window: '30 days',
      source: `ended_at of ${capabilityTasks}`,
    }),
    history: z.array(history).max(30).readonly(),
  })
  .meta({ id: 'Ticker', description: 'A capability as it is traded.' });
