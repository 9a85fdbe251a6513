import type { Database, Transaction } from '../../../src/database/database.js';

/** Runs several reads that see the store as of one moment. Writers do not have to wait for them. */
export function atOneMoment<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return database.read(async (tx) => {
    await tx.query('set transaction isolation level repeatable read');
    return work(tx);
  });
}
