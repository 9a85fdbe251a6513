import { forKinds } from '../../contracts/entries/by-kind.js';
import { namespacesOf } from '../../contracts/entries/catalogue.js';
import type { Bodies, EntryKind } from '../../contracts/entries/entry.js';
import type { RecordedOf } from '../../contracts/entries/recorded.js';
import type { Transaction } from '../../src/database/database.js';
import { gather, inOrder, into, type Projection } from '../projection.js';

/** One row for each receipt, with the columns by which it is found. Its contents are read from the bytes of the entry. */
export const receiptsProjection: Projection = {
  name: 'receipts',
  version: 4,
  tables: ['receipts'],
  reveals: {},
  ddl: `
    create table receipts (
      receipt_id text collate "C" primary key,
      workspace_id uuid not null,
      seq bigint not null,
      kind text collate "C" not null,
      agent_id text collate "C",
      namespace_ids uuid[] not null,
      recorded_at timestamptz not null,
      unique (workspace_id, seq)
    );
  `,
  indexes: `
    create index on receipts (workspace_id, kind, seq);
    create index on receipts (workspace_id, agent_id, seq) where agent_id is not null;
  `,
  fold: inOrder(
    gather(
      forKinds(
        () => true,
        (one) => [rowOf(one)],
      ),
      into('receipts'),
    ),
    gather({ 'memory.moved': ({ entry }) => [entry.body] }, followMoved),
  ),
};

function rowOf({ entry }: RecordedOf<EntryKind>): object {
  return {
    receipt_id: entry.receipt_id,
    workspace_id: entry.workspace_id,
    seq: entry.seq,
    kind: entry.kind,
    agent_id: entry.actor.agent_id,
    namespace_ids: namespacesOf(entry),
    recorded_at: entry.recorded_at,
  };
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
  await tx.query(
    `update receipts r set namespace_ids = array[m.namespace_id]
       from unnest($1::text[], $2::uuid[]) m(receipt_id, namespace_id) where r.receipt_id = m.receipt_id`,
    [[...last.keys()], [...last.values()]],
  );
}
