import { z } from 'zod';
import { figure } from './figure.js';
import { atT } from './leaves.js';

const price =
  'The lower of the two prices that the agent may have: the mean of cost_usd over its tasks of the capability of 24 h that state a cost, rounded half to even to 6 decimals; and the lowest unit_price_usd of its live quotes for open requests of the capability';

const candidate = z.object({
  agent: figure(z.string(), {
    formula:
      'An agent with a price and with at least one success of the capability in 30 days. The best has the lowest price / success_rate, compared exactly, then the first name; the alternatives follow in this order',
    unit: 'text',
    window: '24 h for costs, at t for quotes, 30 days for successes',
    source: 'agent_handle',
  }),
  unit_price_usd: figure(z.number(), {
    formula: price,
    unit: 'USD',
    window: '24 h for costs, at t for quotes',
    source: 'cost_usd, market.quote.unit_price_usd',
  }),
  success_rate: figure(z.number(), {
    formula: 'success / (success + partial + error) of the agent and capability',
    unit: '0 to 1',
    window: '30 days',
    source: 'status, market.capability',
  }),
  latency_p95_ms: figure(z.int(), {
    formula:
      'The p95 of the latencies of the tasks of the agent and capability that were not refused, by the buckets of quantiles',
    unit: 'milliseconds',
    window: '30 days',
    source: 'started_at, ended_at, status, market.capability',
  }),
});

/** The best agents for a capability. */
export const route = z.object({
  capability: figure(z.string(), {
    formula:
      'The capability, as its slug, for which there is a candidate. The largest notional of 24 h comes first, then the symbol',
    unit: 'text',
    window: atT,
    source: 'market.capability',
  }),
  best: candidate,
  alternatives: z.array(candidate).max(3),
  fee_usd: figure(z.number(), {
    formula: '0.0075 × best.unit_price_usd',
    unit: 'USD',
    window: atT,
    source: 'routing[].best.unit_price_usd',
  }),
  all_in_usd: figure(z.number(), {
    formula: '1.0075 × best.unit_price_usd',
    unit: 'USD',
    window: atT,
    source: 'routing[].best.unit_price_usd',
  }),
  saving_pct: figure(z.number().nullable(), {
    formula:
      '100 × (1 − price / success_rate of the best / mean of price / success_rate over all candidates), from the prices as printed and the exact rates',
    unit: 'percent',
    window: '24 h for costs, at t for quotes, 30 days for success_rate',
    whenNull: 'there is one candidate, or all prices are 0',
    source: 'cost_usd, market.quote.unit_price_usd, status',
  }),
});
