import type { Market } from '../../contracts/market.js';
import type { PublicReceipt, Task } from '../../src/domain/market/state/receipt.js';
import { receipt as madeReceipt } from './made-receipts.js';

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
      const { task } = madeReceipt({
        recorded_ms: now - 3_600_000 + made,
        ended_ms: now - 3_600_000,
        workspace,
        seq,
        ...said,
      });
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
