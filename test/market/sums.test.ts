import { expect, it } from 'vitest';
import { capabilitiesOf, monthsOf } from '../../projections/facts/sums.js';
import type { Fact } from '../../src/domain/market/fact.js';

const factOfAgent = (agent: string, seq: number): Fact => ({
  recorded_ms: 1,
  hash: `${agent}${seq}`,
  workspace: '0f1e2d3c4b5a6978',
  seq,
  agent,
  handle: '@bot',
  vendor: 'Acme',
  platform: 'sdk',
  capability: seq % 2 === 0 ? 'triage' : 'review',
  sector: null,
  counterparty: null,
  segment: null,
  workflow: null,
  status: 'success',
  started_ms: 0,
  ended_ms: seq * 40 * 86_400_000,
  latency_ms: 1,
  latency_bucket: 0,
  cost_micros: null,
  scope_violated: false,
  verified_attestations: 0,
  outcome_value_micros: null,
  outcome_baseline_micros: null,
  outcome_accepted: null,
});

it('sums are locked in one order, no matter the order of the receipts', () => {
  const facts = ['agn_b', 'agn_a', 'agn_c'].flatMap((agent) => [1, 0, 2].map((seq) => factOfAgent(agent, seq)));
  const keys = monthsOf(facts).map(({ agent, month }) => `${agent} ${month}`);
  expect(keys).toEqual([...keys].sort());
  expect(keys).toHaveLength(9);
  const capabilities = capabilitiesOf(facts).map(({ agent, capability }) => `${agent} ${capability}`);
  expect(capabilities).toEqual(['agn_a', 'agn_b', 'agn_c'].flatMap((agent) => [`${agent} review`, `${agent} triage`]));
});
