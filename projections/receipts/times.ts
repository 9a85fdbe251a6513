import type { Transaction } from '../../src/adapters/database/database.js';

/**
 * The times of a chain never go back, so the place of a time is found by halving and needs no index of its own. Chains of
 * earlier versions may have a clock in them that was set back: by less than this, nothing of them is missed.
 */
const setBack = "interval '1 minute'";

/** Entries of a chain from `first` on, and before `end`; where there is no bound, 0 and null. */
export interface SeqRange {
  readonly first: number;
  readonly end: number | null;
}

/**
 * Between which entries of a chain those stand that were recorded at `since` or later and before `until`. Others may be
 * among them, so the times are still to be compared.
 */
export async function seqsOf(
  tx: Transaction,
  workspaceId: string,
  { since, until }: { readonly since?: string | undefined; readonly until?: string | undefined },
): Promise<SeqRange> {
  const [first, end] = await Promise.all([
    since === undefined ? null : firstAt(tx, workspaceId, since, `- ${setBack}`),
    until === undefined ? null : firstAt(tx, workspaceId, until, `+ ${setBack}`),
  ]);
  return { first: first ?? 0, end };
}

/** The first entry that was recorded at this time or later, or the place after the last one; null for an unknown chain. */
async function firstAt(tx: Transaction, workspaceId: string, time: string, moved: string): Promise<number | null> {
  const [row] = await tx.query<{ seq: number }>(
    `with recursive halved(low, high) as (
       select 1::bigint, (select seq + 1 from receipts where workspace_id = $1 order by seq desc limit 1)
       union all
       select case when r.early then m.middle + 1 else h.low end, case when r.early then h.high else m.middle end
         from halved h cross join lateral (select (h.low + h.high) / 2 as middle) m
        cross join lateral (select recorded_at < $2::timestamptz ${moved} as early from receipts
                             where workspace_id = $1 and seq = m.middle) r
        where h.low < h.high)
     select low as seq from halved where low = high`,
    [workspaceId, time],
  );
  return row?.seq ?? null;
}
