import type { Transaction } from '../../adapters/database/database.js';

/** Orphan rows: entries of no chain, and texts of no entry. Each look is one statement, so a write that commits meanwhile is seen whole or not at all. */
export async function orphanRow(tx: Transaction): Promise<string | null> {
  const [entry] = await tx.query<{ chain: string; seq: number }>(
    `select e.chain::text, e.seq from entries e left join chains c on c.chain = e.chain
      where c.chain is null order by e.chain, e.seq limit 1`,
  );
  if (entry) return `Entry ${entry.seq} of workspace ${entry.chain} in the table entries belongs to no chain.`;
  const [deposit] = await tx.query<{ receipt_id: string }>(
    `select v.receipt_id from vault v left join entries e on e.receipt_id = v.receipt_id
      where e.receipt_id is null order by v.receipt_id limit 1`,
  );
  return deposit ? `The row ${deposit.receipt_id} of the table vault belongs to no entry.` : null;
}
