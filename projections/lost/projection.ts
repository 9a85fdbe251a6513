import type { Recorded } from '../../contracts/entries/recorded.js';
import type { Transaction } from '../../src/database/database.js';
import { insertRows, type Projection } from '../projection.js';

/**
 * The memories whose texts are lost: their entries are in the chain and no entry deletes them, but the vault has no row for
 * them. A ledger that is built again from its entries without a vault has them. No read shows them, and they can be deleted.
 */
export const lostProjection: Projection = {
  name: 'lost',
  version: 2,
  tables: ['lost_memories'],
  reveals: {},
  ddl: `
    create table lost_memories (
      id uuid primary key,
      workspace_id uuid not null,
      namespace_id uuid not null,
      receipt_id text collate "C" not null,
      receipt_hash text collate "C" not null,
      invalidation_receipt_id text collate "C"
    );
  `,
  async apply(tx, recorded) {
    // A replay meets deleted memories without their texts. Most of them are deleted in the same batch.
    const gone = recorded.flatMap(({ entry }) => (entry.kind === 'memory.delete' ? entry.body.memory_id : []));
    const deleted = new Set(gone);
    const rows = recorded.flatMap(lostRow).filter(({ id }) => !deleted.has(id));
    await insertRows(tx, 'lost_memories', rows);
    if (gone.length > 0) await tx.query('delete from lost_memories where id = any($1::uuid[])', [gone]);
    await move(tx, recorded);
    await invalidate(tx, recorded);
  },
};

function lostRow({ entry, hash, deposit }: Recorded) {
  if (entry.kind !== 'memory.write' || deposit !== null) return [];
  const { memory_id: id, namespace_id } = entry.body;
  const { workspace_id, receipt_id } = entry;
  return [{ id, workspace_id, namespace_id, receipt_id, receipt_hash: hash, invalidation_receipt_id: null }];
}

async function move(tx: Transaction, recorded: readonly Recorded[]): Promise<void> {
  const moved = recorded.flatMap(({ entry }) => (entry.kind === 'memory.moved' ? entry.body : []));
  if (moved.length === 0) return;
  const last = new Map(moved.map(({ memory_id, to }) => [memory_id, to]));
  await tx.query(
    `update lost_memories l set namespace_id = m.namespace_id
       from unnest($1::uuid[], $2::uuid[]) m(id, namespace_id) where l.id = m.id`,
    [[...last.keys()], [...last.values()]],
  );
}

/** The reason of the last invalidation is destroyed with the memory. */
async function invalidate(tx: Transaction, recorded: readonly Recorded[]): Promise<void> {
  const last = new Map(
    recorded.flatMap(({ entry }) =>
      entry.kind === 'memory.invalidated' ? [[entry.body.memory_id, entry.receipt_id] as const] : [],
    ),
  );
  if (last.size === 0) return;
  await tx.query(
    `update lost_memories l set invalidation_receipt_id = i.receipt_id
       from unnest($1::uuid[], $2::text[]) i(memory_id, receipt_id) where l.id = i.memory_id`,
    [[...last.keys()], [...last.values()]],
  );
}
