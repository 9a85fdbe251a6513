import { createHash } from 'node:crypto';
import type { Bodies } from '../../contracts/entries/entry.js';
import type { Recorded } from '../../contracts/entries/recorded.js';
import type { Transaction } from '../../src/adapters/database/database.js';
import { insertRows, type Projection } from '../projection.js';

/**
 * The public log: its leaves, the checkpoints that were signed over them, and how far the anchoring of each has come.
 * A leaf at an index that is taken breaks the primary key and with it the append: two writers cannot fill one place.
 */
export const logProjection: Projection = {
  name: 'log',
  version: 1,
  tables: ['log_leaves', 'checkpoints'],
  ddl: `
    create table log_leaves (
      index bigint primary key,
      leaf text collate "C" not null,
      hash bytea not null,
      workspace_id uuid,
      size bigint,
      unique (workspace_id, size)
    );
    create table checkpoints (
      size bigint primary key,
      root bytea not null,
      note text not null,
      signed_at timestamptz not null,
      anchor text collate "C" not null,
      digest text collate "C",
      promised bytea,
      ots bytea,
      submitted_at timestamptz,
      heights bigint[] not null,
      height bigint,
      header bytea,
      block_hash text collate "C",
      block_time timestamptz
    );
    create index on log_leaves (index) where workspace_id is null;
    create index on checkpoints (anchor, size);
  `,
  async apply(tx, recorded) {
    // One after the other: what happens to a checkpoint depends on what has happened to it before.
    for (const one of recorded) await applyOne(tx, one);
  },
};

async function applyOne(tx: Transaction, { entry }: Recorded): Promise<void> {
  switch (entry.kind) {
    case 'log.key_added':
    case 'log.key_ended':
      return insertRows(tx, 'log_leaves', [leafRow(entry.body.index, entry.body.leaf, null, null)]);
    case 'log.heads_added': {
      const { from, heads } = entry.body;
      const rows = heads.map(({ leaf, workspace_id, size }, i) => leafRow(from + i, leaf, workspace_id, size));
      return insertRows(tx, 'log_leaves', rows);
    }
    case 'checkpoint.signed': {
      const { size, root, note } = entry.body;
      const row = { size, root: `\\x${root}`, note, signed_at: entry.recorded_at, anchor: 'pending', heights: [] };
      return insertRows(tx, 'checkpoints', [row]);
    }
    case 'checkpoint.cosigned':
      return update(tx, entry.body.size, 'note = $2', [entry.body.note]);
    case 'anchor.submitted':
      return submitted(tx, entry.body, entry.recorded_at);
    case 'anchor.attested':
      return update(tx, entry.body.size, `anchor = 'attested', ots = decode($2, 'base64'), heights = $3`, [
        entry.body.ots,
        entry.body.heights,
      ]);
    case 'anchor.confirmed': {
      const { size, height, header, block_hash, block_time } = entry.body;
      const set = `anchor = 'confirmed', height = $2, header = decode($3, 'hex'), block_hash = $4, block_time = $5`;
      return update(tx, size, set, [height, header, block_hash, block_time]);
    }
    case 'anchor.lost': {
      // Back to what the calendars promised: they will name another block.
      const set = `anchor = 'submitted', ots = promised, heights = '{}', height = null, header = null,
        block_hash = null, block_time = null`;
      return update(tx, entry.body.size, set, []);
    }
    default:
  }
}

async function submitted(tx: Transaction, { size, digest, ots }: Bodies['anchor.submitted'], at: string) {
  const set = `anchor = 'submitted', digest = $2, promised = decode($3, 'base64'), ots = decode($3, 'base64'), submitted_at = $4`;
  await update(tx, size, set, [digest, ots, at]);
}

function leafRow(index: number, leaf: string, workspaceId: string | null, size: number | null) {
  const hash = createHash('sha256').update(Uint8Array.of(0)).update(leaf, 'utf8').digest('hex');
  return { index, leaf, hash: `\\x${hash}`, workspace_id: workspaceId, size };
}

async function update(
  tx: Transaction,
  size: number,
  set: string,
  values: readonly (string | number | readonly number[])[],
): Promise<void> {
  await tx.query(`update checkpoints set ${set} where size = $1`, [size, ...values]);
}
