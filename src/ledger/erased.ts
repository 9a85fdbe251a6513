import type { Transaction } from '../adapters/database/database.js';

/**
 * Notes what was deleted from tables in this transaction, by receipts or ids: files may hold it until it is forgotten there
 * too. What is noted while that is under way is for the next time.
 */
export async function noteErased(tx: Transaction, names: readonly string[]): Promise<void> {
  await tx.query('insert into erased select unnest($1::text[]) on conflict do nothing', [names]);
}
