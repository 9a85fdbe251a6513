import type { Transaction } from '../adapters/database/database.js';

/**
 * Notes what was deleted from tables in this transaction, by receipts or ids: files may still hold it until the tables are
 * written again. What is noted while that happens is for the next time.
 */
export async function noteErased(tx: Transaction, names: readonly string[]): Promise<void> {
  await tx.query('insert into erased select unnest($1::text[]) on conflict do nothing', [names]);
}
