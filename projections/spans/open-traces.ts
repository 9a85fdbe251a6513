import type { Row, Transaction } from '../../src/database/database.js';

/** A trace of which spans wait for their root, or were recorded a short time ago. */
export interface OpenTrace extends Row {
  workspace_id: string;
  trace_id: string;
  revision: number;
  /** JSON texts. */
  caller: string;
  nodes: string;
  /** Milliseconds since 1970. */
  opened_ms: number;
}

const columns =
  'workspace_id, trace_id, revision, caller, nodes, extract(epoch from opened_at)::float8 * 1000 as opened_ms';

export function openTraces(tx: Transaction, workspaceId: string, traceIds: readonly string[]): Promise<OpenTrace[]> {
  return tx.query<OpenTrace>(
    `select ${columns} from open_traces where workspace_id = $1 and trace_id = any($2::text[])`,
    [workspaceId, traceIds],
  );
}

/** The traces for which nothing more is waited for, the oldest first. */
export function dueTraces(tx: Transaction, now: Date, limit: number): Promise<OpenTrace[]> {
  return tx.query<OpenTrace>(`select ${columns} from open_traces where due_at <= $1 order by due_at limit $2`, [
    now.toISOString(),
    limit,
  ]);
}

export interface ChangedTrace {
  readonly traceId: string;
  /** 0 for a trace that is new. */
  readonly revision: number;
  readonly nodes: string;
  readonly waitingBytes: number;
}

/** Stores traces that nothing has changed since they were read. @returns the ids of those that were stored */
export async function storeTraces(
  tx: Transaction,
  workspaceId: string,
  { caller, now, dueAt }: { readonly caller: string; readonly now: Date; readonly dueAt: Date },
  traces: readonly ChangedTrace[],
): Promise<ReadonlySet<string>> {
  // In one order, so that two transactions with the same traces do not wait for each other.
  const sorted = [...traces].sort((a, b) => (a.traceId < b.traceId ? -1 : 1));
  const rows = await tx.query<{ trace_id: string }>(
    `insert into open_traces as o
       select $1::uuid, t.trace_id, t.revision + 1, $2, t.nodes, t.bytes, $3::timestamptz, $4::timestamptz
         from unnest($5::text[], $6::int[], $7::text[], $8::int[]) t(trace_id, revision, nodes, bytes)
       on conflict (workspace_id, trace_id) do update
         set revision = excluded.revision, caller = excluded.caller, nodes = excluded.nodes,
             waiting_bytes = excluded.waiting_bytes, due_at = excluded.due_at
       where o.revision = excluded.revision - 1
       returning trace_id`,
    [
      workspaceId,
      caller,
      now.toISOString(),
      dueAt.toISOString(),
      sorted.map(({ traceId }) => traceId),
      sorted.map(({ revision }) => revision),
      sorted.map(({ nodes }) => nodes),
      sorted.map(({ waitingBytes }) => waitingBytes),
    ],
  );
  return new Set(rows.map(({ trace_id: id }) => id));
}

/** Forgets a trace, unless it was changed since it was read. */
export async function forgetTrace(tx: Transaction, { workspace_id, trace_id, revision }: OpenTrace): Promise<void> {
  await tx.query('delete from open_traces where workspace_id = $1 and trace_id = $2 and revision = $3', [
    workspace_id,
    trace_id,
    revision,
  ]);
}

/** Looks at a trace again at a later time. */
export async function postponeTrace(
  tx: Transaction,
  { workspace_id, trace_id, revision }: OpenTrace,
  dueAt: Date,
): Promise<void> {
  await tx.query('update open_traces set due_at = $4 where workspace_id = $1 and trace_id = $2 and revision = $3', [
    workspace_id,
    trace_id,
    revision,
    dueAt.toISOString(),
  ]);
}

/** Bytes of the spans that wait: of a workspace, and of all. */
export async function waitingBytes(tx: Transaction, workspaceId: string): Promise<{ own: number; all: number }> {
  const [row] = await tx.query<{ own: number; all: number }>(
    `select coalesce(sum(waiting_bytes) filter (where workspace_id = $1), 0)::float8 as own,
            coalesce(sum(waiting_bytes), 0)::float8 as all
       from open_traces where waiting_bytes > 0`,
    [workspaceId],
  );
  return row ?? { own: 0, all: 0 };
}
