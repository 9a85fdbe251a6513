import { z } from 'zod';
import { sla } from '../market.js';
import { figure, type Meaning } from './figure.js';
import { atT, dollars, id, moment, symbol } from './leaves.js';

const ofPeriod = <S extends z.ZodType>(schema: S, meaning: Omit<Meaning, 'window'>) =>
  figure(schema, { ...meaning, window: 'period_start ≤ ended_at < period_end' });

const measuredFrom = 'status, started_at, ended_at, market.capability, agent_handle';

/** A service level that an agent promises. */
export const serviceLevel = z.object({
  sla_id: id('The id of the service level, which means something only inside its workspace', 'market.sla.sla_id'),
  agent: id(
    'The agent of the receipt that stated it first (lowest seq of its workspace): the identity agn_… where the handle was linked with proof as that receipt was recorded, otherwise @handle~tag',
    'agent_handle',
  ),
  symbol: symbol('market.sla.capability'),
  metric: figure(sla.unwrap().shape.metric, {
    formula: 'The figure that is promised',
    unit: 'text',
    window: atT,
    source: 'market.sla.metric',
  }),
  target: figure(z.number(), {
    formula: 'The promised value: the highest p95 of latency, or the lowest rate of success, printed with 6 decimals',
    unit: 'milliseconds, or 0 to 1',
    window: atT,
    source: 'market.sla.target',
  }),
  measured: ofPeriod(z.number().nullable(), {
    formula:
      'Over the public receipts of that agent and capability in the period: success / (success + partial + error), or the p95 of the latencies of the tasks that were not refused, by the buckets of quantiles',
    unit: 'milliseconds, or 0 to 1',
    whenNull: 'there is no such receipt, or all were refused',
    source: measuredFrom,
  }),
  state: ofPeriod(z.enum(['met', 'breached', 'running']), {
    formula:
      'running until t ≥ period_end; then breached where measured as printed is above the target (latency_p95_ms) or below it (success_rate), otherwise met, also where measured is null',
    unit: 'text',
    source: 'measured, target, period_end of the same row',
  }),
  penalty_usd: dollars('The penalty that is due when it is breached, as stated', 'market.sla.penalty_usd'),
  period_start: moment('The beginning of the period', 'market.sla.period_start'),
  period_end: moment('The end of the period, which does not belong to it', 'market.sla.period_end'),
  receipt_hash: figure(z.string(), {
    formula:
      'The hash of the receipt with the newest statement (highest seq) of the workspace: the state of the service level',
    unit: 'hex',
    window: atT,
    source: 'receipt_hash',
  }),
});
