import type { Transaction } from '../../src/database/database.js';

/**
 * The times of a chain never decrease, so the position of a time is found by binary search, without another index. Chains of
 * earlier versions may contain times of a clock that was set back. If it was set back by less than this, nothing is missed.
 */
const setBack = "interval '1 minute'";

/** The entries of a chain from `first` up to, but without, `end`. Without a limit these are 0 and null. */
interface SeqRange {
  readonly first: number;
  readonly end: number | null;
}

/**
 * A range of entries of a chain that contains all entries recorded at `since` or later and before `until`. It may contain
 * further entries, so the caller must still compare the times.
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

/** The first entry that was recorded at this time or later, or the position after the last entry; null for an unknown chain. */
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
