import { createHash } from 'node:crypto';
import type { Recorded } from '../../contracts/entries/recorded.js';
import type { Transaction } from '../../src/adapters/database/database.js';
import { insertRows, type Projection } from '../projection.js';

/**
 * The memories that exist, with what lists and filters ask for. The content itself stays in the vault. Whether a memory
 * is searchable yet is the business of its ingest job, not of the ledger, so no status stands here.
 */
export const memoryProjection: Projection = {
  name: 'memory',
  version: 3,
  tables: ['memories'],
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
      updated_at timestamptz not null
    );
    alter table memories alter column content_hash set statistics 0;
    alter table memories alter column source set statistics 0;
    alter table memories alter column metadata set statistics 0;
    create index on memories (namespace_id, content_hash);
    create index on memories (workspace_id, id);
    create index on memories (namespace_id, source, seq) where source is not null;
    create index on memories (namespace_id, run_id, seq) where run_id is not null;
  `,
  async apply(tx, recorded) {
    // Those that go make room first: a batch may delete a memory and write the same content again. One that is written
    // and deleted in the same batch never gets a row, as in a replay, which finds its deposit gone.
    const gone = recorded.flatMap(({ entry }) => (entry.kind === 'memory.delete' ? entry.body.memory_id : []));
    if (gone.length > 0) await tx.query('delete from memories where id = any($1::uuid[])', [gone]);
    const deleted = new Set(gone);
    const rows = recorded.flatMap(memoryRow).filter((row) => !deleted.has(row.id));
    await insertRows(tx, 'memories', rows);
    await move(tx, recorded);
  },
};

/** Two memories of one content may come to stand in one namespace so: both keep their ids. */
async function move(tx: Transaction, recorded: readonly Recorded[]): Promise<void> {
  const moved = recorded.flatMap(({ entry }) =>
    entry.kind === 'memory.moved'
      ? [[entry.body.memory_id, { to: entry.body.to, at: entry.recorded_at }] as const]
      : [],
  );
  if (moved.length === 0) return;
  const last = new Map(moved);
  await tx.query(
    `update memories m set namespace_id = d.namespace_id, updated_at = d.at
       from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) d(id, namespace_id, at) where m.id = d.id`,
    [[...last.keys()], [...last.values()].map(({ to }) => to), [...last.values()].map(({ at }) => at)],
  );
}

function memoryRow({ entry, hash, deposit }: Recorded) {
  if (entry.kind !== 'memory.write' || deposit === null) return [];
  const content = deposit.content ?? '';
  const metadata = deposit.metadata ?? '{}';
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
      source: deposit.source,
      user_id: entry.actor.user_id,
      agent_id: entry.actor.agent_id,
      app_id: entry.actor.app_id,
      run_id: entry.actor.run_id,
      // Parsed and written again: a number too large for a double becomes null here instead of an overflow in jsonb.
      metadata: JSON.parse(metadata),
      created_at: entry.recorded_at,
      updated_at: entry.recorded_at,
    },
  ];
}
