import type { Transaction } from '../src/database/database.js';
import type { Fold } from './fold.js';

/** A read model: the tables that it owns, and how entries change them. */
export interface Projection {
  readonly name: string;
  /** Increase it when `ddl` or what `fold` does changes. The next start then rebuilds the tables from the ledger. */
  readonly version: number;
  readonly tables: readonly string[];
  /**
   * The tables whose rows reveal contents of a memory or a webhook, and whether the keys of their indexes do too. Rows that
   * were deleted from these tables are also removed from the files of the database.
   */
  readonly reveals: Readonly<Record<string, 'rows' | 'rows and indexes'>>;
  /** It must use unqualified names and default index names, because a rebuild runs it in another schema and moves the tables. */
  readonly ddl: string;
  /** Indexes that readers need and `fold` does not need. Copies that are only compared are built without them. */
  readonly indexes?: string;
  readonly fold: Fold;
}

/** Reports `done` of `total`. The total grows while other processes write. */
export type OnProgress = (done: number, total: number) => void;

/** Inserts rows whose keys are the table's columns, in one statement for any number of them. */
export async function insertRows(tx: Transaction, table: string, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`, [
    JSON.stringify(rows),
  ]);
}

/** The same, for what `gather` has gathered. */
export const into =
  (table: string) =>
  (tx: Transaction, rows: readonly object[]): Promise<void> =>
    insertRows(tx, table, rows);
