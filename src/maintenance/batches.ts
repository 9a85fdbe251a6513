import type { Transaction } from '../adapters/database/database.js';

/**
 * Entries per transaction. Measured on PGlite with the memory read model, in entries replayed per second of processor
 * time: 250 → 3,900, 1,000 → 4,600, 4,000 → 4,200. A bigger batch only makes others wait longer for their turn.
 */
export const batchEntries = 1000;
/** A thousand contents of 1 MiB would be 1 GiB of heap, so a batch also ends when it has grown to this many bytes. */
const batchBytes = 16 * 1024 * 1024;

/** How many of the next `limit` entries after `afterSeq` fit a batch; at least one where there is one, 0 at the end. */
export async function entriesThatFit(tx: Transaction, chain: string, afterSeq: number, limit: number): Promise<number> {
  // octet_length knows the size of a text that is stored out of line without reading it. Numbers are dense, so the range
  // says what a limit would say, and the planner cannot take it for the whole rest of the chain.
  const [row] = await tx.query<{ fitting: number }>(
    `select count(*) filter (where before < $4) as fitting
       from (select coalesce(sum(octet_length(e.bytes) + coalesce(octet_length(v.content), 0)
                      + coalesce(octet_length(v.metadata), 0))
                    over (order by e.seq rows between unbounded preceding and 1 preceding), 0) as before
               from entries e left join vault v on v.receipt_id = e.receipt_id
              where e.chain = $1 and e.seq > $2 and e.seq <= $3) summed`,
    [chain, afterSeq, afterSeq + limit, batchBytes],
  );
  return row?.fitting ?? 0;
}
