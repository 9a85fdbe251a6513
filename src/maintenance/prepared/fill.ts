import type { Recorded } from '../../../contracts/entries/recorded.js';
import { atOnce, type Fold, type OnProgress } from '../../../projections/projection.js';
import type { Database, Transaction } from '../../database/database.js';
import { withoutErased } from '../../ledger/check/batches.js';
import type { Rebuildable } from '../rebuildable.js';
import { catchUp, type Replay } from '../replaying.js';
import { type PreparedTables, preparedSchema } from './schema.js';

/**
 * Applies to the prepared tables what they lack, in batches that note how far they came in the same transaction: after a kill
 * the next run continues there.
 */
export async function fillPrepared(
  database: Database,
  models: readonly Rebuildable[],
  { positions, enter }: PreparedTables,
  onProgress: OnProgress,
): Promise<Replay> {
  const fold = atOnce(models.flatMap(({ projection }) => projection?.fold ?? []));
  const replay: Replay = { fold: noting(fold), positions, leftOut: null, enter };
  await catchUp(database, replay, onProgress);
  return replay;
}

const noting = (fold: Fold): Fold => ({
  kinds: fold.kinds,
  async apply(tx, read) {
    if (read.length === 0) return;
    // A batch is written by the transaction after the one that has read it, and texts may have been erased between the two.
    await fold.apply(tx, await withoutErased(tx, read));
    await notePositions(tx, read);
  },
});

async function notePositions(tx: Transaction, read: readonly Recorded[]): Promise<void> {
  const reached = new Map(read.map(({ entry }) => [entry.workspace_id, entry.seq]));
  await tx.query(
    `insert into ${preparedSchema}.positions select * from unnest($1::uuid[], $2::bigint[])
     on conflict (chain) do update set seq = excluded.seq`,
    [[...reached.keys()], [...reached.values()]],
  );
}
