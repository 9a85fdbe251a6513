import { createHash } from 'node:crypto';
import type { RecordedOf } from '../../contracts/entries/recorded.js';
import { bigint, boolean, inserting, text, timestamptz, uuid } from '../../src/database/columns.js';
import type { Transaction } from '../../src/database/database.js';
import { comparableJson } from '../../src/domain/exact-json.js';
import { type Projection, together } from '../projection.js';
import {
  type Approvals,
  type Approvers,
  approverOf,
  approversDdl,
  approversOf,
  noteGiven,
  noteUsed,
} from './approvers.js';
import { endOfId } from './rows.js';
import { addTerms, removalOfTerms, removeTerms, termsDdl } from './terms.js';
import {
  followValidity,
  noChange,
  noteInvalidated,
  notePromoted,
  noteReinstated,
  reinstatementsDdl,
  type Validity,
} from './validity.js';

/**
 * SQL of the hash of a source, for indexes. The inner pages of a B-tree keep some keys of deleted rows, so its keys must not be
 * readable. For the same reason contents are found by a hash index, which keeps no such keys.
 */
export const hashOfSource = (source: string): string => `hashtextextended(${source}, 0)`;

/**
 * The memories that exist, with the columns that lists and filters use. The content stays in the vault. There is no status here,
 * because the ingest job says whether a memory is searchable, and not the ledger.
 */
export const memoryProjection: Projection = {
  name: 'memory',
  version: 10,
  tables: ['memories', 'memory_counts', 'memory_terms', 'memory_reinstatements', 'memory_approvers'],
  reveals: { memories: 'rows and indexes', memory_terms: 'rows and indexes' },
  forgets: [
    removalOfTerms('erased_subjects'),
    `update memories set content_hash = '', source = null, metadata = '{}'::jsonb where id = any(erased_subjects)`,
  ],
  ddl: `
    create table memories (
      id uuid primary key,
      workspace_id uuid not null,
      namespace_id uuid not null,
      seq bigint not null,
      receipt_id text collate "C" not null,
      receipt_hash text collate "C" not null,
      content_hash text collate "C" not null,
      size bigint not null,
      playground boolean not null,
      source text collate "C",
      user_id text collate "C",
      agent_id text collate "C",
      app_id text collate "C",
      run_id text collate "C",
      metadata jsonb not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      invalidated boolean not null default false,
      invalidation_receipt_id text collate "C",
      invalidation_seq bigint,
      approved_by text collate "C"
    );
    alter table memories alter column content_hash set statistics 0;
    alter table memories alter column source set statistics 0;
    alter table memories alter column metadata set statistics 0;
    create table memory_counts (
      namespace_id uuid primary key,
      memories bigint not null
    ) with (fillfactor = 50);
    ${reinstatementsDdl}${approversDdl}${termsDdl}  `,
  indexes: `
    create index on memories using hash (content_hash);
    create index on memories (workspace_id, id);
    create index on memories using hash (${endOfId});
    create index on memories (namespace_id, ${hashOfSource('source')}, seq) where source is not null;
    create index on memories (namespace_id, updated_at);
    create index on memories (namespace_id, agent_id, seq) where agent_id is not null;
    create index on memories (namespace_id, user_id, seq) where user_id is not null;
    create index on memories (namespace_id, run_id, seq) where run_id is not null;
    create index on memories (namespace_id, approved_by, seq) where approved_by is not null;
    create index on memories (namespace_id, seq) where invalidated;
    create index on memories (namespace_id, seq) where playground;
    create index on memories (namespace_id, seq);
  `,
  fold: together({
    begin: (): Changes => ({
      deleted: [],
      written: [],
      moved: new Map(),
      approvals: { given: new Map(), used: new Set() },
      validity: noChange(),
    }),
    on: {
      'memory.write': ({ written, approvals }, one) => {
        written.push(one);
        noteUsed(approvals, one);
      },
      'memory.delete': ({ deleted, approvals }, one) => {
        deleted.push(one.entry.body.memory_id);
        noteUsed(approvals, one);
      },
      'memory.promoted': ({ validity, approvals }, one) => {
        notePromoted(validity, one);
        noteUsed(approvals, one);
      },
      'memory.moved': ({ moved }, { entry: { body, recorded_at: at } }) =>
        moved.set(body.memory_id, { to: body.to, at }),
      'memory.invalidated': ({ validity }, one) => noteInvalidated(validity, one),
      'memory.reinstated': ({ validity }, one) => noteReinstated(validity, one),
      approval: ({ approvals }, one) => noteGiven(approvals, one),
    },
    write,
  }),
};

/** The changes by the entries of one append. */
interface Changes {
  readonly deleted: string[];
  readonly written: RecordedOf<'memory.write'>[];
  /** By memory: its last namespace, and when it was moved there. */
  readonly moved: Map<string, { readonly to: string; readonly at: string }>;
  readonly approvals: Approvals;
  readonly validity: Validity;
}

async function write(tx: Transaction, { deleted, written, moved, approvals, validity }: Changes): Promise<void> {
  // Deleted memories are removed first, because a batch may delete a memory and write the same content again. A memory that
  // is written and deleted in one batch gets no row. A replay gives the same result, because its deposit is deleted.
  const left = deleted.length === 0 ? [] : await remove(tx, deleted);
  const gone = new Set(deleted);
  const approvers = await approversOf(tx, approvals);
  const rows = written
    .filter(({ entry }) => !gone.has(entry.body.memory_id))
    .flatMap((one) => memoryRows(one, approvers));
  // What follows does not wait for the rows: the database runs it after them.
  await Promise.all([add(tx, rows), follow(tx, { rows, left, moved, validity, approvers })]);
}

async function add(tx: Transaction, rows: readonly MemoryRow[]): Promise<void> {
  const described = rows.filter(({ metadata }) => metadata !== '{}').map(({ id }) => id);
  await Promise.all([insertMemories(tx, rows), described.length > 0 ? addTerms(tx, described) : undefined]);
}

/** The other changes by an append, which follow from its rows. */
interface Following extends Pick<Changes, 'moved' | 'validity'> {
  readonly rows: readonly MemoryRow[];
  /** The namespaces of the deleted memories. */
  readonly left: readonly string[];
  readonly approvers: Approvers;
}

async function follow(tx: Transaction, { rows, left, moved, validity, approvers }: Following): Promise<void> {
  const places = await move(tx, moved);
  await followValidity(tx, validity, approvers);
  await count(tx, [
    ...rows.map((row) => ({ id: row.namespace_id, by: 1 })),
    ...[...left, ...places.map(({ from }) => from)].map((id) => ({ id, by: -1 })),
    ...places.map(({ to }) => ({ id: to, by: 1 })),
  ]);
}

/** @returns the namespaces of the memories that existed, one for each memory */
async function remove(tx: Transaction, ids: readonly string[]): Promise<string[]> {
  await removeTerms(tx, ids);
  const rows = await tx.query<{ namespace_id: string }>(
    'delete from memories where id = any((select $1::uuid[])::uuid[]) returning namespace_id::text',
    [ids],
  );
  return rows.map((row) => row.namespace_id);
}

/** Updates the number of memories of each namespace. A namespace without memories has no row, even if it had some before. */
async function count(tx: Transaction, changes: readonly { readonly id: string; readonly by: number }[]): Promise<void> {
  const sums = new Map<string, number>();
  for (const { id, by } of changes) sums.set(id, (sums.get(id) ?? 0) + by);
  const changed = [...sums].filter(([, by]) => by !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
  if (changed.length === 0) return;
  const ids = changed.map(([id]) => id);
  await tx.write(
    `insert into memory_counts as c select * from unnest($1::uuid[], $2::bigint[])
     on conflict (namespace_id) do update set memories = c.memories + excluded.memories`,
    [ids, changed.map(([, by]) => by)],
  );
  if (changed.some(([, by]) => by < 0)) {
    await tx.query('delete from memory_counts where namespace_id = any($1::uuid[]) and memories = 0', [ids]);
  }
}

/**
 * Moves memories. Afterwards two memories with the same content may be in one namespace, and both keep their ids.
 * @returns the old and the new namespace of each memory that exists
 */
async function move(tx: Transaction, moved: Changes['moved']): Promise<{ from: string; to: string }[]> {
  if (moved.size === 0) return [];
  const last = [...moved.values()];
  return tx.query<{ from: string; to: string }>(
    `update memories m set namespace_id = d.namespace_id, updated_at = d.at
       from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) d(id, namespace_id, at)
       join memories old on old.id = d.id where m.id = d.id
     returning old.namespace_id::text as "from", m.namespace_id::text as "to"`,
    [[...moved.keys()], last.map(({ to }) => to), last.map(({ at }) => at)],
  );
}

type MemoryRow = ReturnType<typeof memoryRows>[number];

const insertMemories = inserting<MemoryRow>('memories', [
  uuid('id', (row) => row.id),
  uuid('workspace_id', (row) => row.workspace_id),
  uuid('namespace_id', (row) => row.namespace_id),
  bigint('seq', (row) => row.seq),
  text('receipt_id', (row) => row.receipt_id),
  text('receipt_hash', (row) => row.receipt_hash),
  text('content_hash', (row) => row.content_hash),
  bigint('size', (row) => row.size),
  boolean('playground', (row) => row.playground),
  text('source', (row) => row.source),
  text('user_id', (row) => row.user_id),
  text('agent_id', (row) => row.agent_id),
  text('app_id', (row) => row.app_id),
  text('run_id', (row) => row.run_id),
  // As text, because its numbers may have more digits than floats keep.
  text('metadata', (row) => row.metadata, 'jsonb'),
  timestamptz('created_at', (row) => row.created_at),
  timestamptz('updated_at', (row) => row.created_at),
  text('approved_by', (row) => row.approved_by),
]);

function memoryRows({ entry, hash, deposit }: RecordedOf<'memory.write'>, approvers: Approvers) {
  if (deposit === null) return [];
  const content = deposit.texts.content ?? '';
  const metadata = deposit.texts.metadata ?? '{}';
  return [
    {
      id: entry.body.memory_id,
      workspace_id: entry.workspace_id,
      namespace_id: entry.body.namespace_id,
      seq: entry.seq,
      receipt_id: entry.receipt_id,
      receipt_hash: hash,
      content_hash: createHash('sha256').update(content, 'utf8').digest('hex'),
      size: entry.body.content_bytes + Buffer.byteLength(metadata),
      playground: entry.body.playground,
      source: deposit.texts.source ?? null,
      user_id: entry.actor.user_id,
      agent_id: entry.actor.agent_id,
      app_id: entry.actor.app_id,
      run_id: entry.actor.run_id,
      metadata: comparableJson(metadata),
      created_at: entry.recorded_at,
      approved_by: approverOf(approvers, entry.body.approval),
    },
  ];
}
