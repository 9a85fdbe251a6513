import type { Transaction } from '../database/database.js';

/** The tables of the ledger whose rows reveal what a memory says. */
export const revealingTables: readonly string[] = ['vault', 'answers', 'pending_appends'];

/**
 * Notes what was deleted from tables in this transaction, by receipts or ids: files may still hold it until the tables are
 * written again. What is noted while that happens is for the next time.
 */
export async function noteErased(tx: Transaction, names: readonly string[]): Promise<void> {
  await tx.query('insert into erased select unnest($1::text[]) on conflict do nothing', [names]);
}

/** Receipts whose deposits were destroyed and whose bytes may still lie in files. */
export async function erasedReceipts(tx: Transaction): Promise<string[]> {
  const rows = await tx.query<{ receipt_id: string }>('select receipt_id from erased');
  return rows.map((row) => row.receipt_id);
}

/** Takes off the list what no file holds any more. */
export async function dropErased(tx: Transaction, names: readonly string[]): Promise<void> {
  await tx.query('delete from erased where receipt_id = any($1::text[])', [names]);
}

export interface ToForget {
  readonly any: boolean;
  /** Whether some of it is in pages that only writing the tables again reaches. */
  readonly everywhere: boolean;
}

/** Whether files may hold what was deleted. */
export async function whatToForget(tx: Transaction): Promise<ToForget> {
  const [row] = await tx.query<{ any: boolean; everywhere: boolean }>(
    'select exists (select 1 from erased) as any, exists (select 1 from erased where everywhere) as everywhere',
  );
  return { any: row?.any ?? false, everywhere: row?.everywhere ?? false };
}
