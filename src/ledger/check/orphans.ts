import { namedFaults, type OnFault } from '../../base/faults.js';
import type { Transaction } from '../../database/database.js';

/** Orphan rows: entries of no chain, and texts of no entry. Each look is one statement, so a write that commits meanwhile is seen whole or not at all. */
export async function orphanRows(tx: Transaction, found: OnFault): Promise<void> {
  const entries = await tx.query<{ chain: string; seq: number }>(
    `select e.chain::text, e.seq from entries e left join chains c on c.chain = e.chain
      where c.chain is null order by e.chain, e.seq limit $1`,
    [namedFaults + 1],
  );
  for (const { chain, seq } of entries) {
    found('entries', `Entry ${seq} of workspace ${chain} in the table entries belongs to no chain.`);
  }
  const deposits = await tx.query<{ receipt_id: string }>(
    `select v.receipt_id from vault v left join entries e on e.receipt_id = v.receipt_id
      where e.receipt_id is null order by v.receipt_id limit $1`,
    [namedFaults + 1],
  );
  for (const { receipt_id } of deposits)
    found('vault', `The row ${receipt_id} of the table vault belongs to no entry.`);
}
