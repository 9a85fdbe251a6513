import type { Database, Transaction } from '../../adapters/database/database.js';

/**
 * Receipts whose vault row is gone and whose deletion the check has not met yet. A table and not a set in memory: a store
 * in which ten million memories were deleted would need a gigabyte for it. It holds receipt ids, which reveal nothing.
 */
export interface Pending {
  add(tx: Transaction, receiptIds: readonly string[]): Promise<void>;
  remove(tx: Transaction, receiptIds: readonly string[]): Promise<void>;
  /** One that is left, if any. */
  first(tx: Transaction): Promise<string | undefined>;
  close(): Promise<void>;
}

export async function openPending(database: Database): Promise<Pending> {
  const run = await database.transaction(async (tx) => {
    await tx.query('create schema if not exists fsck');
    await tx.query(
      `create table if not exists fsck.pending (
         run uuid not null, receipt_id text collate "C" not null, added_at timestamptz not null default now(),
         primary key (run, receipt_id))`,
    );
    // Rows of checks that were killed.
    await tx.query(`delete from fsck.pending where added_at < now() - interval '7 days'`);
    const [row] = await tx.query<{ run: string }>('select gen_random_uuid()::text as run');
    if (!row) throw new Error('the database gave no id');
    return row.run;
  });
  return {
    async add(tx, receiptIds) {
      await tx.query('insert into fsck.pending (run, receipt_id) select $1::uuid, unnest($2::text[])', [
        run,
        receiptIds,
      ]);
    },
    async remove(tx, receiptIds) {
      await tx.query('delete from fsck.pending where run = $1 and receipt_id = any($2::text[])', [run, receiptIds]);
    },
    async first(tx) {
      const [row] = await tx.query<{ receipt_id: string }>(
        'select receipt_id from fsck.pending where run = $1 order by receipt_id limit 1',
        [run],
      );
      return row?.receipt_id;
    },
    async close() {
      await database.transaction((tx) => tx.query('delete from fsck.pending where run = $1', [run]));
    },
  };
}
