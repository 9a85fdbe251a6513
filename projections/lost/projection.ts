import type { RecordedOf } from '../../contracts/entries/recorded.js';
import type { Transaction } from '../../src/database/database.js';
import { insertRows, type Projection, together } from '../projection.js';

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
  fold: together({
    begin: (): Changes => ({ written: [], deleted: [], moved: new Map(), invalidated: new Map() }),
    on: {
      'memory.write': ({ written }, one) => written.push(...lostRows(one)),
      'memory.delete': ({ deleted }, { entry }) => deleted.push(entry.body.memory_id),
      'memory.moved': ({ moved }, { entry }) => moved.set(entry.body.memory_id, entry.body.to),
      'memory.invalidated': ({ invalidated }, { entry }) => invalidated.set(entry.body.memory_id, entry.receipt_id),
    },
    async write(tx, { written, deleted, moved, invalidated }) {
      // A replay meets deleted memories without their texts. Most of them are deleted in the same batch.
      const gone = new Set(deleted);
      await insertRows(
        tx,
        'lost_memories',
        written.filter(({ id }) => !gone.has(id)),
      );
      if (deleted.length > 0) await tx.query('delete from lost_memories where id = any($1::uuid[])', [deleted]);
      await move(tx, moved);
      await invalidate(tx, invalidated);
    },
  }),
};

interface Changes {
  readonly written: ReturnType<typeof lostRows>;
  readonly deleted: string[];
  /** By memory: the namespace that it was moved to last. */
  readonly moved: Map<string, string>;
  /** By memory: the receipt of its last invalidation. */
  readonly invalidated: Map<string, string>;
}

function lostRows({ entry, hash, deposit }: RecordedOf<'memory.write'>) {
  if (deposit !== null) return [];
  const { memory_id: id, namespace_id } = entry.body;
  const { workspace_id, receipt_id } = entry;
  return [{ id, workspace_id, namespace_id, receipt_id, receipt_hash: hash, invalidation_receipt_id: null }];
}

async function move(tx: Transaction, moved: ReadonlyMap<string, string>): Promise<void> {
  if (moved.size === 0) return;
  await tx.query(
    `update lost_memories l set namespace_id = m.namespace_id
       from unnest($1::uuid[], $2::uuid[]) m(id, namespace_id) where l.id = m.id`,
    [[...moved.keys()], [...moved.values()]],
  );
}

/** The reason of the last invalidation is destroyed with the memory. */
async function invalidate(tx: Transaction, invalidated: ReadonlyMap<string, string>): Promise<void> {
  if (invalidated.size === 0) return;
  await tx.query(
    `update lost_memories l set invalidation_receipt_id = i.receipt_id
       from unnest($1::uuid[], $2::text[]) i(memory_id, receipt_id) where l.id = i.memory_id`,
    [[...invalidated.keys()], [...invalidated.values()]],
  );
}
