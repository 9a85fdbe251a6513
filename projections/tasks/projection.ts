import type { EntryOf } from '../../contracts/entries/entry.js';
import type { RecordedOf } from '../../contracts/entries/recorded.js';
import { instantOf } from '../../contracts/instant.js';
import { bigint, inserting, text, uuid } from '../../src/database/columns.js';
import type { Transaction } from '../../src/database/database.js';
import { statementsOf } from '../../src/domain/task/statements.js';
import { gather, inOrder, into, type Projection } from '../projection.js';
import { hashOfSession, placeOfTask } from './rows.js';

/**
 * One row for each task receipt, with the members by which it is found, and one for each of its statements about the state
 * of an object of the market. The rest of a receipt is in the bytes of its entry. No index is unique over what a caller
 * chose: whether a client's id is free is decided before the append.
 */
export const tasksProjection: Projection = {
  name: 'tasks',
  version: 2,
  tables: ['tasks', 'task_statements'],
  reveals: {},
  ddl: `
    create table tasks (
      receipt_id text collate "C" primary key,
      workspace_id uuid not null,
      seq bigint not null,
      task_id text collate "C" not null,
      agent_handle text collate "C" not null,
      status text collate "C" not null,
      session_id text collate "C",
      trace_id text collate "C",
      span_id text collate "C",
      parent_span_id text collate "C",
      started_ms bigint not null,
      erasure_receipt_id text collate "C"
    );
    create table task_statements (
      receipt_id text collate "C" not null,
      workspace_id uuid not null,
      seq bigint not null,
      type text collate "C" not null,
      object_id text collate "C" not null,
      status text collate "C" not null,
      tier text collate "C",
      primary key (receipt_id, type)
    );
    create index on task_statements (workspace_id, type, object_id, seq);
  `,
  indexes: `
    create index on tasks (${placeOfTask});
    create index on tasks (workspace_id, trace_id, seq) where trace_id is not null;
    create index on tasks (workspace_id, ${hashOfSession('session_id')}, seq) where session_id is not null;
    create index on tasks (workspace_id, agent_handle, seq);
    create index on tasks (workspace_id, status, seq);
  `,
  fold: inOrder(
    gather({ task: (one) => [one] }, (tx, added) => insertTasks(tx, added)),
    gather({ task: statementRows }, into('task_statements')),
    gather({ 'receipt.private_erased': ({ entry }) => [entry] }, erase),
  ),
};

const insertTasks = inserting<RecordedOf<'task'>>('tasks', [
  text('receipt_id', ({ entry }) => entry.receipt_id),
  uuid('workspace_id', ({ entry }) => entry.workspace_id),
  bigint('seq', ({ entry }) => entry.seq),
  text('task_id', ({ entry }) => entry.body.task.receipt_id),
  text('agent_handle', ({ entry }) => entry.body.task.agent_handle),
  text('status', ({ entry }) => entry.body.task.status),
  text('session_id', ({ entry }) => entry.body.task.session_id),
  text('trace_id', ({ entry }) => entry.body.task.trace_id),
  text('span_id', ({ entry }) => entry.body.task.span_id),
  text('parent_span_id', ({ entry }) => entry.body.task.parent_span_id),
  // Only receipts whose times are moments are recorded.
  bigint('started_ms', ({ entry }) => instantOf(entry.body.task.started_at)?.ms ?? 0),
]);

function statementRows({ entry }: RecordedOf<'task'>): object[] {
  const { receipt_id, workspace_id, seq, body } = entry;
  return statementsOf(body.task.market).map(({ type, id, status, tier }) => ({
    receipt_id,
    workspace_id,
    seq,
    type,
    object_id: id,
    status,
    tier,
  }));
}

/** Notes by which entry the private text of a task receipt was erased. */
async function erase(tx: Transaction, erasures: readonly EntryOf<'receipt.private_erased'>[]): Promise<void> {
  await tx.query(
    `update tasks t set erasure_receipt_id = e.erasure from unnest($1::text[], $2::text[]) e(receipt_id, erasure)
      where t.receipt_id = e.receipt_id`,
    [erasures.map(({ body }) => body.erased_receipt_id), erasures.map((entry) => entry.receipt_id)],
  );
}
