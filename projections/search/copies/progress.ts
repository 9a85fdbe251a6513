import type { Row, Transaction } from '../../../src/database/database.js';
import { chainRows, followerRows } from '../../../src/ledger/rows.js';
import { isOfKind, receiptRows } from '../../receipts/rows.js';
import { rebuildLeft } from '../rebuild-progress.js';
import { followerName } from './behind.js';
import type { StoredIndex } from './indices.js';

/** How far the follower of an index has come: entries of all chains. */
interface Progress extends Row {
  readonly done: number;
  readonly total: number;
}

export async function progressOf(tx: Transaction, index: StoredIndex): Promise<Progress> {
  const [row] = await tx.query<Progress>(
    `select coalesce(sum(least(coalesce(f.seq, 0), c.head_seq)), 0)::bigint as done, coalesce(sum(c.head_seq), 0)::bigint as total
       from ${chainRows} c left join ${followerRows} f on f.chain = c.chain and f.name = $1`,
    [`${followerName}/${index.number}`],
  );
  return row ?? { done: 0, total: 0 };
}

/**
 * Entries, and memories, that an index may lack when searches begin to use it, so that a store that is written to all the time
 * gets one. Searches know of the namespaces that they are in. Of a small store it may lack a few only, since it would be empty.
 */
const fewLeft = (entries: number): number => Math.min(64, Math.floor(entries / 20));

/** Whether an index is complete enough to serve. While the database's own index is being rebuilt, what is missing there is missing here. */
export async function isCaughtUp(tx: Transaction, index: StoredIndex): Promise<boolean> {
  if ((await rebuildLeft(tx)) !== null) return false;
  const { done, total } = await progressOf(tx, index);
  const few = fewLeft(total);
  if (total - done > few) return false;
  const due = await tx.query(
    `select 1 from search_copies c join search_documents d on d.memory_id = c.memory_id and d.model <> ''
      where c.index_number = $1 and c.is_due and c.fault is null and (not c.is_sent or d.model = $2) limit $3`,
    [index.number, index.model, few + 1],
  );
  return due.length <= few;
}

/** Deletions that the index that serves has not confirmed, and those since the beginning of one that is being built. */
export async function unconfirmedErasures(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*) as count from search_indices i cross join ${chainRows} c
       left join ${followerRows} f on f.chain = c.chain and f.name = '${followerName}/' || i.number
       join ${receiptRows} r on ${isOfKind('r', 'c.chain', 'memory.delete')} and r.seq > coalesce(f.seq, 0)
      where i.state = 'serving' or (i.state = 'building' and r.recorded_at >= i.begun_at)`,
  );
  return row?.count ?? 0;
}
