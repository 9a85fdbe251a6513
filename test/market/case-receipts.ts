import type { Market } from '../../contracts/market.js';
import { latencyBucket } from '../../src/domain/market/latency.js';
import type { PublicReceipt, Task } from '../../src/domain/market/state/receipt.js';

export type Dispute = NonNullable<Market['dispute']>;

const dayMs = 86_400_000;
export const now = Date.UTC(2027, 5, 1, 12);
export const tagOf = (n: number): string => n.toString(16).padStart(16, '0');
export const identityOf = (letter: string): string => `agn_${letter.repeat(32)}`;

/** A chain of one workspace: each receipt comes after the one before. */
export interface Chain {
  readonly tag: string;
  receipt(said?: Partial<Task>, dispute?: Dispute): PublicReceipt;
}

let made = 0;

export function chain(n: number): Chain {
  const workspace = tagOf(n);
  let seq = 0;
  return {
    tag: workspace,
    receipt(said = {}, dispute) {
      seq += 1;
      made += 1;
      const handle = said.handle ?? '@ann';
      const ended_ms = said.ended_ms ?? now - 3_600_000;
      const latency_ms = said.latency_ms ?? 100;
      const task: Task = {
        recorded_ms: now - 3_600_000 + made,
        hash: made.toString(16).padStart(64, '0'),
        workspace,
        seq,
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
        ...said,
      };
      return { task, statements: dispute ? [{ type: 'dispute', said: dispute }] : [], invoice: null };
    },
  };
}

/** A case that was lost yesterday, with these differences. */
export const lost = (case_id: string, respondent: string, differences: Partial<Dispute> = {}): Dispute => ({
  case_id,
  tier: 'panel',
  claim_type: 'quality',
  claimant: 'Globex',
  respondent,
  status: 'resolved',
  ruling: 'upheld',
  opened_at: new Date(now - 3 * dayMs).toISOString(),
  resolved_at: new Date(now - dayMs).toISOString(),
  ...differences,
});

/** An open case, with these differences. */
export function open(case_id: string, respondent: string): Dispute {
  const { ruling: _, resolved_at: __, ...rest } = lost(case_id, respondent);
  return { ...rest, status: 'open' };
}
