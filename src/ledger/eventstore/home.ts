import type { Transaction } from '../../database/database.js';

/** The streams that hold the ledger of a store; null while the database itself holds it. */
interface LedgerHome {
  readonly prefix: string;
}

export async function readHome(tx: Transaction): Promise<LedgerHome | null> {
  const [row] = await tx.query<{ prefix: string }>(`select prefix from ledger_home where engine = 'eventstore'`);
  return row ?? null;
}

/** Called with the first chain, and when the ledger has moved. */
export async function writeHome(tx: Transaction, home: LedgerHome | null): Promise<void> {
  if (home === null) {
    await tx.query('delete from ledger_home');
    return;
  }
  await tx.query(
    `insert into ledger_home (engine, prefix) values ('eventstore', $1)
     on conflict (only_row) do update set engine = excluded.engine, prefix = excluded.prefix`,
    [home.prefix],
  );
}
