import type { Database, Transaction } from './database.js';

/** A database into which a store is being copied. A start would take its empty tables for a new store. */
export class UnfinishedCopy extends Error {
  override name = 'UnfinishedCopy';
}

/** The table that is there before the first one of the store, and goes in the transaction that copies all rows. */
export const unfinishedCopy = 'unfinished_copy';

export async function beginCopy(tx: Transaction): Promise<void> {
  await tx.query(`create table if not exists ${unfinishedCopy} (begun_at timestamptz not null default now())`);
}

export async function endCopy(tx: Transaction): Promise<void> {
  await tx.query(`drop table if exists ${unfinishedCopy}`);
}

export async function isUnfinishedCopy(tx: Transaction): Promise<boolean> {
  const [row] = await tx.query<{ is: boolean }>('select to_regclass($1) is not null as is', [unfinishedCopy]);
  return row?.is ?? false;
}

/** @throws UnfinishedCopy with a sentence that says what to run */
export async function requireWholeCopy(database: Pick<Database, 'read'>): Promise<void> {
  if (!(await database.read(isUnfinishedCopy))) return;
  throw new UnfinishedCopy(
    'counterfoil migrate-store has begun to copy a store into this database and has not ended. If it does not run any more, run it again: ' +
      'it begins from the start. Or set DATABASE_URL to another database. Nothing was changed.',
  );
}
