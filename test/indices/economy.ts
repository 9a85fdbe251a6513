import { createHash } from 'node:crypto';
import type { Fact } from '../../src/domain/market/fact.js';
import { closingOf, startOf } from '../../src/domain/market/indices/days.js';
import { latencyBucket } from '../../src/domain/market/latency.js';
import type { Random } from '../market/random.js';

let made = 0;

/** A public receipt with these facts; all other ones are plain. */
export function factOf(given: Partial<Fact> & { readonly ended_ms: number }): Fact {
  made += 1;
  const latency = given.latency_ms ?? 1000;
  return {
    recorded_ms: given.ended_ms,
    hash: createHash('sha256').update(String(made)).digest('hex'),
    workspace: '0123456789abcdef',
    seq: made,
    agent: '@ann~0123456789abcdef',
    handle: '@ann',
    vendor: 'Acme',
    platform: 'other',
    capability: 'search',
    sector: null,
    counterparty: null,
    segment: null,
    workflow: null,
    status: 'success',
    started_ms: given.ended_ms - latency,
    latency_ms: latency,
    latency_bucket: latencyBucket(latency),
    cost_micros: 1_000_000,
    scope_violated: false,
    verified_attestations: 0,
    outcome_value_micros: null,
    outcome_baseline_micros: null,
    outcome_accepted: null,
    ...given,
  };
}

const names = ['search', 'translate', 'code-review', 'invoice', 'triage'];
const statuses = ['success', 'success', 'success', 'partial', 'error', 'tool_denied', 'policy_blocked'];

/** The receipts of one day: some late, some without a cost or a capability, and on some days none at all. */
export function anyDay({ whole, pick, chance }: Random, day: number): Fact[] {
  if (chance(0.15)) return [];
  const present = names.filter(() => chance(0.7));
  return Array.from({ length: whole(12) }, () => {
    const ended_ms = startOf(day) + whole(86_400_000);
    const latency_ms = whole(30_000);
    return factOf({
      ended_ms,
      latency_ms,
      latency_bucket: latencyBucket(latency_ms),
      started_ms: ended_ms - latency_ms,
      recorded_ms: chance(0.1) ? closingOf(day) + whole(1e9) : ended_ms + whole(closingOf(day) - ended_ms),
      vendor: pick(['Acme', 'Zeta', '__proto__']),
      capability: present.length === 0 || chance(0.1) ? null : pick(present),
      sector: chance(0.2) ? pick(['build', 'know', 'serve', 'transact']) : null,
      status: pick(statuses),
      cost_micros: chance(0.2) ? null : chance(0.1) ? 0 : whole(5_000_000),
    });
  });
}
