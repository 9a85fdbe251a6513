import { latencyBucket } from '../../src/domain/market/latency.js';
import type { PublicReceipt, Task } from '../../src/domain/market/state/receipt.js';
import { dayMs, hourMs } from '../../src/domain/market/state/windows.js';
import type { Random } from './random.js';

export const minuteMs = 60_000;

/** The t of most tests: a moment in the middle of a day. */
export const noon = Date.UTC(2027, 2, 15, 12);

let made = 0;

/** A public receipt of a success that ended one minute before noon, with these differences. */
export function receipt(differences: Partial<Task> = {}): PublicReceipt {
  made += 1;
  const { ended_ms = noon - minuteMs, latency_ms = 100, workspace = '0000000000000001', handle = '@ann' } = differences;
  const task: Task = {
    recorded_ms: ended_ms,
    hash: made.toString(16).padStart(64, '0'),
    workspace,
    seq: made,
    agent: `${handle}~${workspace}`,
    handle,
    vendor: 'Acme',
    platform: 'sdk',
    capability: 'code-review',
    sector: null,
    counterparty: null,
    segment: null,
    workflow: null,
    status: 'success',
    started_ms: ended_ms - latency_ms,
    ended_ms,
    latency_ms,
    latency_bucket: latencyBucket(latency_ms),
    cost_micros: null,
    scope_violated: false,
    verified_attestations: 0,
    outcome_value_micros: null,
    outcome_baseline_micros: null,
    outcome_accepted: null,
    run: null,
    ...differences,
  };
  return { task, statements: [], invoice: null };
}

export const dollars = (amount: number): number => Math.round(amount * 1_000_000);

/** Receipts of the 70 days before noon. Many end exactly on the edge of a window, and many at the same moment. */
export function randomReceipts(values: Random, count: number): PublicReceipt[] {
  const { whole, pick, chance } = values;
  return Array.from({ length: count }, () => {
    const ended_ms = noon - (chance(0.5) ? whole(70) * dayMs : whole(70 * 24) * hourMs + whole(3) - 1);
    const lateness = pick([0, 0, 0, minuteMs, whole(20 * 24) * hourMs, -5 * minuteMs]);
    const [workspace, handle] = [`000000000000000${whole(4)}`, pick(['@ann', '@bob', '@cyd', '@dan'])];
    const isIdentity = chance(0.3);
    return receipt({
      ended_ms,
      recorded_ms: ended_ms + lateness,
      workspace,
      handle,
      ...(isIdentity ? { agent: `agn_${pick(['a', 'b']).repeat(32)}` } : {}),
      vendor: pick(['Acme', 'Beta', '\u{1f600}', '\uff5e']),
      platform: pick(['sdk', 'otel']),
      capability: chance(0.1) ? null : pick(['code-review', 'search', 'x', 'triage']),
      sector: chance(0.2) ? pick(['build', 'serve']) : null,
      counterparty: chance(0.4) ? pick(['Acme', 'Globex', 'Initech']) : null,
      status: pick(['success', 'success', 'success', 'partial', 'error', 'tool_denied', 'policy_blocked']),
      latency_ms: whole(10 ** (1 + whole(6))),
      cost_micros: chance(0.8) ? whole(5) * whole(10 ** (1 + whole(9))) : null,
      scope_violated: chance(0.1),
    });
  });
}
