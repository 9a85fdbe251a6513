import type { CaseStatement } from './statement.js';

/** Sums over all cases. */
export interface CaseTotals {
  cases: number;
  open: number;
  resolved: number;
  /** Resolved cases of the tier `automated`. */
  automated: number;
  /** Resolved cases with the ruling `upheld`. */
  upheld: number;
  /** The awards of resolved cases in millionths of a dollar. */
  awards: bigint;
  /** The milliseconds from opened_at to resolved_at of all resolved cases. */
  duration: bigint;
}

export const noTotals = (): CaseTotals => ({
  cases: 0,
  open: 0,
  resolved: 0,
  automated: 0,
  upheld: 0,
  awards: 0n,
  duration: 0n,
});

/** Adds a case, or takes it away. */
export function addToTotals(totals: CaseTotals, state: CaseStatement, by: 1 | -1): void {
  totals.cases += by;
  if (state.status === 'open') {
    totals.open += by;
    return;
  }
  totals.resolved += by;
  if (state.tier === 'automated') totals.automated += by;
  if (state.ruling === 'upheld') totals.upheld += by;
  totals.awards += BigInt(by * (state.awardMicros ?? 0));
  totals.duration += BigInt(by * ((state.resolvedMs ?? state.openedMs) - state.openedMs));
}
