import type { EntryOf } from '../../../contracts/entries/entry.js';
import type { RecordedOf } from '../../../contracts/entries/recorded.js';
import { latestStatements, tasksByClientId } from '../../../projections/tasks/queries.js';
import { keyOfStated, type StatedObject, type Statement, statementsOf } from '../../domain/task/statements.js';
import { readEntry } from '../../ledger/chain.js';
import { distinct, inCopy, type Slice } from './slice.js';

type TaskEntry = EntryOf<'task'>;

/** A task receipt that was recorded. */
export interface TaskState {
  readonly entry: TaskEntry;
  readonly hash: string;
  /** Null once the private text was erased. */
  readonly salt: Uint8Array | null;
  /** The receipt of the erasure of the private text; null where it was not erased. */
  readonly erasureReceiptId: string | null;
}

/** By the client's id. */
export type Tasks = ReadonlyMap<string, TaskState>;

/** The task receipts with these ids of clients. */
export const tasks: Slice<readonly string[], Tasks> = {
  empty: new Map(),
  async load({ tx, workspaceId }, reads) {
    const found = new Map<string, TaskState>();
    for (const { bytes, hash, salt, ...row } of await tasksByClientId(tx, workspaceId, distinct(reads))) {
      const entry = readEntry(Buffer.from(bytes).toString('utf8'));
      if (entry.kind !== 'task') continue;
      found.set(entry.body.task.receipt_id, { entry, hash, salt, erasureReceiptId: row.erasure_receipt_id });
    }
    return found;
  },
  evolve: inCopy((before) => new Map(before), {
    task: (after, { entry, hash, deposit }) =>
      after.set(entry.body.task.receipt_id, { entry, hash, salt: deposit?.salt ?? null, erasureReceiptId: null }),
    'receipt.private_erased': erase,
  }),
};

function erase(tasks: Map<string, TaskState>, { entry }: RecordedOf<'receipt.private_erased'>): void {
  for (const [id, task] of tasks) {
    if (task.entry.receipt_id !== entry.body.erased_receipt_id) continue;
    tasks.set(id, { ...task, salt: null, erasureReceiptId: entry.receipt_id });
  }
}

/** The newest statement of the workspace about each object of the market, by `keyOfStated`. */
export type Statements = ReadonlyMap<string, Statement>;

/** The newest statements about these objects. */
export const statements: Slice<readonly StatedObject[], Statements> = {
  empty: new Map(),
  async load({ tx, workspaceId }, reads) {
    const objects = new Map(reads.flat().map((one) => [keyOfStated(one), one]));
    const rows = await latestStatements(tx, workspaceId, [...objects.values()]);
    const found = rows.map(({ type, object_id: id, status, tier }) => ({ type, id, status, tier }));
    return new Map(found.map((one) => [keyOfStated(one), one]));
  },
  evolve: inCopy((before) => new Map(before), {
    task: (after, { entry }) => {
      for (const one of statementsOf(entry.body.task.market)) after.set(keyOfStated(one), one);
    },
  }),
};
