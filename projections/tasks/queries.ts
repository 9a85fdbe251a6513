import type { Row, Transaction } from '../../src/database/database.js';
import type { StatedObject, StatedType } from '../../src/domain/task/statements.js';
import { entryRows, vaultRows } from '../../src/ledger/rows.js';
import { isInSession, taskOf } from './rows.js';

interface TaskFound extends Row {
  receipt_id: string;
  /** The bytes that were hashed, and their hash in hex. */
  bytes: Uint8Array;
  hash: string;
  /** Null once the private text was erased. */
  salt: Uint8Array | null;
  /** The receipt of the erasure of the private text; null where it was not erased. */
  erasure_receipt_id: string | null;
}

/** SQL of the task receipts of the workspace $1 with the ids of clients $2. */
const withClientIds = `unnest($2::text[]) given(id) cross join lateral ${taskOf('$1::uuid', 'given.id')} t`;

/** The task receipts of a workspace with these ids of clients, each id once. */
export function tasksByClientId(tx: Transaction, workspaceId: string, ids: readonly string[]): Promise<TaskFound[]> {
  return tx.query<TaskFound>(
    `select t.receipt_id, e.bytes, encode(e.hash, 'hex') as hash, v.salt, t.erasure_receipt_id
       from ${withClientIds}
      cross join lateral (select bytes, hash from ${entryRows} own
                           where own.chain = t.workspace_id and own.seq = t.seq offset 0) e
       left join lateral (select salt from ${vaultRows} own where own.receipt_id = t.receipt_id offset 0) v on true`,
    [workspaceId, ids],
  );
}

/** Those of these ids of clients under which the workspace has a task receipt. */
export async function knownTaskIds(tx: Transaction, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ task_id: string }>(`select t.task_id from ${withClientIds}`, [workspaceId, ids]);
  return rows.map(({ task_id: id }) => id);
}

export interface TaskView extends Row {
  receipt_id: string;
  seq: number;
  /** The client's id. */
  task_id: string;
  agent_handle: string;
  status: string;
  session_id: string | null;
  trace_id: string | null;
  span_id: string | null;
  parent_span_id: string | null;
  /** Milliseconds since 1970. */
  started_ms: number;
  /** The receipt of the erasure of the private text; null where it was not erased. */
  erasure_receipt_id: string | null;
}

const viewed =
  'receipt_id, seq, task_id, agent_handle, status, session_id, trace_id, span_id, parent_span_id, started_ms, erasure_receipt_id';

/** The task receipts with these receipt ids of the service. */
export function tasksByReceiptId(
  tx: Transaction,
  workspaceId: string,
  receiptIds: readonly string[],
): Promise<TaskView[]> {
  return tx.query<TaskView>(`select ${viewed} from tasks where workspace_id = $1 and receipt_id = any($2::text[])`, [
    workspaceId,
    receiptIds,
  ]);
}

/** The first `limit` task receipts of a trace in the order in which they were recorded. */
export function tasksOfTrace(
  tx: Transaction,
  workspaceId: string,
  traceId: string,
  limit: number,
): Promise<TaskView[]> {
  return tx.query<TaskView>(
    `select ${viewed} from tasks where workspace_id = $1 and trace_id = $2 order by seq limit $3`,
    [workspaceId, traceId, limit],
  );
}

/** The first `limit` task receipts of a session in the order in which they were recorded. */
export function tasksOfSession(
  tx: Transaction,
  workspaceId: string,
  sessionId: string,
  limit: number,
): Promise<TaskView[]> {
  return tx.query<TaskView>(
    `select ${viewed} from tasks where workspace_id = $1 and ${isInSession('tasks', '$2::text')} order by seq limit $3`,
    [workspaceId, sessionId, limit],
  );
}

interface LatestStatement extends Row {
  type: StatedType;
  object_id: string;
  status: string;
  tier: string | null;
}

/** The newest statement of a workspace about each of these objects of the market. */
export function latestStatements(
  tx: Transaction,
  workspaceId: string,
  objects: readonly StatedObject[],
): Promise<LatestStatement[]> {
  return tx.query<LatestStatement>(
    `select o.type, o.object_id, s.status, s.tier
       from unnest($2::text[], $3::text[]) o(type, object_id) cross join lateral (
         select status, tier from task_statements
          where workspace_id = $1 and type = o.type and object_id = o.object_id order by seq desc limit 1) s`,
    [workspaceId, objects.map(({ type }) => type), objects.map(({ id }) => id)],
  );
}
