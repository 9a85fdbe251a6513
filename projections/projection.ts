import type { Recorded } from '../contracts/entries/recorded.js';
import type { Transaction } from '../src/adapters/database/database.js';

/**
 * A read model: the tables it owns and how entries change them. `apply` is a function of the entries and what the tables
 * hold, with no clock, no randomness and no other side effect, so a replay rebuilds the same rows byte for byte.
 */
export interface Projection {
  readonly name: string;
  /** Raise it when `ddl` or `apply` changes: the next start rebuilds the tables from the ledger. */
  readonly version: number;
  readonly tables: readonly string[];
  /**
   * The tables whose rows reveal what a memory or a webhook says, and whether the keys of their indexes do too. What was
   * deleted from them is wiped from the files.
   */
  readonly reveals: Readonly<Record<string, 'rows' | 'rows and indexes'>>;
  /** Unqualified names and default index names: a rebuild runs it in a schema of its own and moves the tables over. */
  readonly ddl: string;
  /** Indexes that readers need and `apply` does not: what is only built to be compared goes without them. */
  readonly indexes?: string;
  apply(tx: Transaction, recorded: readonly Recorded[]): Promise<void>;
}

/** `done` of `total`; the total grows while others write. */
export type OnProgress = (done: number, total: number) => void;

/** Inserts rows whose keys are the table's columns, in one statement for any number of them. */
export async function insertRows(tx: Transaction, table: string, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`, [
    JSON.stringify(rows),
  ]);
}
