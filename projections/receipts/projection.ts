import { forKinds } from '../../contracts/entries/by-kind.js';
import { namespacesOf } from '../../contracts/entries/catalogue.js';
import type { Bodies, EntryKind } from '../../contracts/entries/entry.js';
import type { RecordedOf } from '../../contracts/entries/recorded.js';
import type { Transaction } from '../../src/database/database.js';
import { gather, inOrder, insertRows, type Projection } from '../projection.js';

/**
 * One row for each receipt, with the columns by which it is found. Its contents are read from the bytes of the entry. The second table has a
 * row for each namespace that a receipt concerns: an index of a column with lists has no order, so a page could not be read from its end.
 */
export const receiptsProjection: Projection = {
  name: 'receipts',
  version: 5,
  tables: ['receipts', 'receipt_namespaces'],
  reveals: {},
  ddl: `
    create table receipts (
      receipt_id text collate "C" primary key,
      workspace_id uuid not null,
      seq bigint not null,
      kind text collate "C" not null,
      actor_id text collate "C",
      agent_id text collate "C",
      memory_id uuid,
      namespace_ids uuid[] not null,
      recorded_at timestamptz not null,
      unique (workspace_id, seq)
    );
    create table receipt_namespaces (
      workspace_id uuid not null,
      namespace_id uuid not null,
      seq bigint not null,
      primary key (workspace_id, namespace_id, seq)
    );
  `,
  indexes: `
    create index on receipts (workspace_id, kind, seq);
    create index on receipts (workspace_id, actor_id, seq) where actor_id is not null;
    create index on receipts (workspace_id, agent_id, seq) where agent_id is not null;
    create index on receipts (workspace_id, memory_id, seq) where memory_id is not null;
  `,
  fold: inOrder(
    gather(
      forKinds(
        () => true,
        (one) => [{ receipt: rowOf(one), namespaces: namespaceRows(one) }],
      ),
      add,
    ),
    gather({ 'memory.moved': ({ entry }) => [entry.body] }, followMoved),
  ),
};

interface Added {
  readonly receipt: object;
  readonly namespaces: readonly object[];
}

async function add(tx: Transaction, added: readonly Added[]): Promise<void> {
  const namespaces = added.flatMap((one) => one.namespaces);
  await Promise.all([
    insertRows(
      tx,
      'receipts',
      added.map(({ receipt }) => receipt),
    ),
    insertRows(tx, 'receipt_namespaces', namespaces),
  ]);
}

function rowOf({ entry }: RecordedOf<EntryKind>): object {
  return {
    receipt_id: entry.receipt_id,
    workspace_id: entry.workspace_id,
    seq: entry.seq,
    kind: entry.kind,
    actor_id: entry.actor.id,
    agent_id: entry.actor.agent_id,
    memory_id: 'memory_id' in entry.body ? entry.body.memory_id : null,
    namespace_ids: namespacesOf(entry),
    recorded_at: entry.recorded_at,
  };
}

function namespaceRows({ entry }: RecordedOf<EntryKind>): object[] {
  const { workspace_id, seq } = entry;
  return [...new Set(namespacesOf(entry))].map((namespace_id) => ({ workspace_id, namespace_id, seq }));
}

/** Everyone who may see where a memory is now may see the receipt of its write, and that of its last invalidation. */
async function followMoved(tx: Transaction, moved: readonly Bodies['memory.moved'][]): Promise<void> {
  const last = new Map(
    moved.flatMap(({ write_receipt_id, invalidation_receipt_id, to }) =>
      [write_receipt_id, ...(invalidation_receipt_id === undefined ? [] : [invalidation_receipt_id])].map(
        (id) => [id, to] as const,
      ),
    ),
  );
  const to = 'unnest($1::text[], $2::uuid[]) m(receipt_id, namespace_id)';
  const values = [[...last.keys()], [...last.values()]];
  await tx.query(
    `update receipt_namespaces n set namespace_id = m.namespace_id
       from receipts r, ${to}
      where r.receipt_id = m.receipt_id and n.workspace_id = r.workspace_id and n.namespace_id = r.namespace_ids[1] and n.seq = r.seq`,
    values,
  );
  await tx.query(
    `update receipts r set namespace_ids = array[m.namespace_id] from ${to} where r.receipt_id = m.receipt_id`,
    values,
  );
}
