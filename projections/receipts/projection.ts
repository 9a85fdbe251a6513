import { forKinds } from '../../contracts/entries/by-kind.js';
import { namespacesOf } from '../../contracts/entries/catalogue.js';
import type { Bodies, EntryKind } from '../../contracts/entries/entry.js';
import type { RecordedOf } from '../../contracts/entries/recorded.js';
import { bigint, inserting, text, timestamptz, uuid } from '../../src/database/columns.js';
import type { Transaction } from '../../src/database/database.js';
import { gather, inOrder, insertRows, type Projection } from '../projection.js';
import { hashIn } from '../workspace-hash.js';
import { firstNamespace } from './rows.js';

/**
 * One row for each receipt, with the columns by which it is found. Its contents are read from the bytes of the entry, and its id is looked
 * up among the entries: an index of ids here would be a second one. An index of a column with lists has no order, so a page could not be
 * read from its end: there is one of the first namespace, which is the only one of most receipts, and the second table has a row for each
 * further namespace.
 */
export const receiptsProjection: Projection = {
  name: 'receipts',
  version: 6,
  tables: ['receipts', 'receipt_namespaces'],
  reveals: {},
  ddl: `
    create table receipts (
      receipt_id text collate "C" not null,
      workspace_id uuid not null,
      seq bigint not null,
      kind text collate "C" not null,
      actor_id text collate "C",
      agent_id text collate "C",
      memory_id uuid,
      namespace_ids uuid[] not null,
      recorded_at timestamptz not null,
      primary key (workspace_id, seq)
    );
    create index on receipts (memory_id, seq) where memory_id is not null;
    create table receipt_namespaces (
      workspace_id uuid not null,
      namespace_id uuid not null,
      seq bigint not null,
      primary key (workspace_id, namespace_id, seq)
    );
  `,
  indexes: `
    create index on receipts (${hashIn('workspace_id', 'kind')}, seq);
    create index on receipts (${hashIn('workspace_id', 'actor_id')}, seq) where actor_id is not null;
    create index on receipts (${hashIn('workspace_id', 'agent_id')}, seq) where agent_id is not null;
    create index on receipts ((${firstNamespace}), seq) where ${firstNamespace} is not null;
  `,
  fold: inOrder(
    gather(
      forKinds(
        () => true,
        (one) => [{ receipt: one, further: furtherRows(one) }],
      ),
      add,
    ),
    gather({ 'memory.moved': ({ entry }) => [entry.body] }, followMoved),
  ),
};

interface Added {
  readonly receipt: RecordedOf<EntryKind>;
  readonly further: readonly object[];
}

const insertReceipts = inserting<RecordedOf<EntryKind>>('receipts', [
  text('receipt_id', ({ entry }) => entry.receipt_id),
  uuid('workspace_id', ({ entry }) => entry.workspace_id),
  bigint('seq', ({ entry }) => entry.seq),
  text('kind', ({ entry }) => entry.kind),
  text('actor_id', ({ entry }) => entry.actor.id),
  text('agent_id', ({ entry }) => entry.actor.agent_id),
  uuid('memory_id', ({ entry }) => ('memory_id' in entry.body ? entry.body.memory_id : null)),
  text('namespace_ids', ({ entry }) => `{${namespacesOf(entry).join()}}`, 'uuid[]'),
  timestamptz('recorded_at', ({ entry }) => entry.recorded_at),
]);

async function add(tx: Transaction, added: readonly Added[]): Promise<void> {
  await Promise.all([
    insertReceipts(
      tx,
      added.map(({ receipt }) => receipt),
    ),
    insertRows(
      tx,
      'receipt_namespaces',
      added.flatMap(({ further }) => further),
    ),
  ]);
}

function furtherRows({ entry }: RecordedOf<EntryKind>): object[] {
  const { workspace_id, seq } = entry;
  return [...new Set(namespacesOf(entry))].slice(1).map((namespace_id) => ({ workspace_id, namespace_id, seq }));
}

/** Everyone who may see where a memory is now may see the receipt of its write, and that of its last invalidation. Both have one namespace. */
async function followMoved(tx: Transaction, moved: readonly Bodies['memory.moved'][]): Promise<void> {
  const last = new Map(
    moved.flatMap(({ memory_id, write_receipt_id, invalidation_receipt_id, to }) =>
      [write_receipt_id, ...(invalidation_receipt_id === undefined ? [] : [invalidation_receipt_id])].map(
        (id) => [id, { memory_id, to }] as const,
      ),
    ),
  );
  const values = [...last.values()];
  await tx.query(
    `update receipts r set namespace_ids = array[m.namespace_id]
       from unnest((select $1::uuid[]), (select $2::text[]), (select $3::uuid[])) m(memory_id, receipt_id, namespace_id)
      where r.memory_id = m.memory_id and r.receipt_id = m.receipt_id`,
    [values.map(({ memory_id }) => memory_id), [...last.keys()], values.map(({ to }) => to)],
  );
}
