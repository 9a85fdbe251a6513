import { timeOf } from '../../../../contracts/instant.js';
import { toMicros } from '../numbers/exact.js';
import type { PublicReceipt } from '../state/receipt.js';
import type { Statement } from '../statements.js';

type Dispute = Extract<Statement, { type: 'dispute' }>['said'];

/** The statement of a workspace about a case in one receipt. */
export interface CaseStatement {
  readonly workspace: string;
  readonly seq: number;
  readonly hash: string;
  readonly tier: Dispute['tier'];
  readonly claimType: Dispute['claim_type'];
  readonly claimant: string;
  readonly respondent: string;
  readonly status: Dispute['status'];
  readonly openedMs: number;
  /** When it was resolved: as stated, or else the end of the task. */
  readonly resolvedMs: number | null;
  readonly ruling: NonNullable<Dispute['ruling']> | null;
  readonly awardMicros: number | null;
  readonly cites: readonly string[];
}

const noCites: readonly string[] = [];

/** The statement of a receipt about a case, with the id of the case; null for a receipt without one. */
export function caseStatement({ task, statements }: PublicReceipt): { id: string; stated: CaseStatement } | null {
  const said = statements.find((one) => one.type === 'dispute')?.said;
  if (said === undefined) return null;
  const { workspace, seq, hash, ended_ms } = task;
  const { case_id, tier, claim_type, claimant, respondent, status, ruling, award_usd, cites } = said;
  const stated = {
    workspace,
    seq,
    hash,
    tier,
    claimType: claim_type,
    claimant,
    respondent,
    status,
    openedMs: timeOf(said.opened_at),
    resolvedMs: resolvedMs(said, ended_ms),
    ruling: ruling ?? null,
    awardMicros: award_usd === undefined ? null : toMicros(award_usd),
    cites: cites === undefined || cites.length === 0 ? noCites : cites,
  };
  return { id: case_id, stated };
}

function resolvedMs({ status, resolved_at }: Dispute, endedMs: number): number | null {
  if (resolved_at !== undefined) return timeOf(resolved_at);
  return status === 'resolved' ? endedMs : null;
}

/** How a case has ended: won and lost are meant for the respondent. A withdrawn case is neither. */
type Outcome = 'open' | 'won' | 'lost' | 'withdrawn';

export function outcomeOf({ status, ruling }: Pick<CaseStatement, 'status' | 'ruling'>): Outcome {
  if (status === 'open') return 'open';
  if (ruling === 'rejected') return 'won';
  return ruling === 'withdrawn' ? 'withdrawn' : 'lost';
}

/** Whether two workspaces say the same about the end of a case. */
export const agrees = (a: CaseStatement, b: CaseStatement): boolean =>
  a.respondent === b.respondent && a.status === b.status && a.ruling === b.ruling;
