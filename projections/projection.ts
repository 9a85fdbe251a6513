import { type ByKind, callFor, kindsOf } from '../contracts/entries/by-kind.js';
import type { EntryKind } from '../contracts/entries/entry.js';
import type { Recorded } from '../contracts/entries/recorded.js';
import type { Transaction } from '../src/database/database.js';

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
  /**
   * Statements that take from the tables what they show of the deposits of the memories, webhooks and members `any(erased_subjects)`,
   * and keep every row that the fold of their deletion counts. Tables that are being prepared come to the entry of a deletion
   * later than its text may stay.
   */
  readonly forgets?: readonly string[];
  /** It must use unqualified names and default index names, because a rebuild runs it in another schema and moves the tables. */
  readonly ddl: string;
  /** Indexes that readers need and `fold` does not need. Copies that are only compared are built without them. */
  readonly indexes?: string;
  readonly fold: Fold;
}

/**
 * How entries change tables: a table from the kinds that matter to what becomes of them. It depends only on the entries and on
 * the rows of these tables, and has no other side effect. It uses no clock and no randomness, so a replay makes the same rows
 * byte for byte, also in batches of another size.
 */
export interface Fold {
  /** The kinds that it names. */
  readonly kinds: readonly EntryKind[];
  /** @param recorded entries of one append, or of one step of a replay, in their order. Those of other kinds change nothing. */
  apply(tx: Transaction, recorded: readonly Recorded[]): Promise<void>;
}

/** Reports `done` of `total`. The total grows while other processes write. */
export type OnProgress = (done: number, total: number) => void;

/**
 * Inserts rows whose keys are the table's columns, in one statement for any number of them. For tables with a row for each write or task
 * receipt there is `inserting`, which costs a third to a half.
 */
export async function insertRows(tx: Transaction, table: string, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.write(`insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`, [
    JSON.stringify(rows),
  ]);
}

/** The same, for what `gather` has gathered. */
export const into =
  (table: string) =>
  (tx: Transaction, rows: readonly object[]): Promise<void> =>
    insertRows(tx, table, rows);

/** Applies one entry after the other. For rows that a later entry of the same append may depend on. */
export function each(on: ByKind<Promise<unknown>, [Transaction]>): Fold {
  return {
    kinds: kindsOf(on),
    async apply(tx, recorded) {
      for (const one of recorded) await callFor(on, one, tx);
    },
  };
}

/** Notes in memory what each entry changes, and writes that once for all of them. */
export function together<Changes>(fold: {
  begin(): Changes;
  readonly on: ByKind<unknown, [Changes]>;
  write(tx: Transaction, changes: Changes): Promise<void>;
}): Fold {
  return {
    kinds: kindsOf(fold.on),
    async apply(tx, recorded) {
      const changes = fold.begin();
      for (const one of recorded) callFor(fold.on, one, changes);
      await fold.write(tx, changes);
    },
  };
}

/** Takes any number of items from each entry, and writes all of them at once, unless there are none. */
export function gather<Item>(
  on: ByKind<readonly Item[]>,
  write: (tx: Transaction, items: readonly Item[]) => Promise<unknown>,
): Fold {
  return {
    kinds: kindsOf(on),
    async apply(tx, recorded) {
      const items = recorded.flatMap((one) => callFor(on, one) ?? []);
      if (items.length > 0) await write(tx, items);
    },
  };
}

/** Hands each entry to those of these folds that name its kind. They run at the same time, each with all of its entries. */
export function atOnce(folds: readonly Fold[]): Fold {
  const handOut = handingOut(folds);
  return {
    kinds: namedBy(folds),
    apply: async (tx, recorded) =>
      void (await Promise.all(handOut(recorded).map(([fold, entries]) => fold.apply(tx, entries)))),
  };
}

/** The same, each fold after the one before it has ended. */
export function inOrder(...folds: readonly Fold[]): Fold {
  const handOut = handingOut(folds);
  return {
    kinds: namedBy(folds),
    async apply(tx, recorded) {
      for (const [fold, entries] of handOut(recorded)) await fold.apply(tx, entries);
    },
  };
}

/** Finds the folds that name the kinds of some entries, in the order of the folds, each with these entries in their order. */
function handingOut(folds: readonly Fold[]) {
  const naming = new Map<EntryKind, number[]>();
  for (const [at, { kinds }] of folds.entries()) {
    for (const kind of kinds) naming.set(kind, [...(naming.get(kind) ?? []), at]);
  }
  return (recorded: readonly Recorded[]): (readonly [Fold, readonly Recorded[]])[] => {
    const handed: Recorded[][] = folds.map(() => []);
    for (const one of recorded) {
      for (const at of naming.get(one.entry.kind) ?? []) handed[at]?.push(one);
    }
    return folds.flatMap((fold, at) => {
      const entries = handed[at] ?? [];
      return entries.length === 0 ? [] : [[fold, entries] as const];
    });
  };
}

const namedBy = (folds: readonly Fold[]): EntryKind[] => [...new Set(folds.flatMap(({ kinds }) => kinds))];
