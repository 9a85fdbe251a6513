import type { Row, Transaction } from '../../src/database/database.js';
import { isReady } from '../ingest/rows.js';
import { memoryRows } from '../memory/rows.js';

/**
 * How far a rebuild in the background has come. The table `search_rebuild` has a row for each workspace of which a memory may be
 * missing in the index. The memories of a workspace are indexed in the order of their ids, from the last to the first, so the newest
 * ones are found first. A memory keeps its id when it is moved, so no memory is passed over.
 */

/** Notes every workspace that has memories that are ready. @returns the number of these memories */
export async function beginRebuild(tx: Transaction): Promise<number> {
  await tx.query('delete from search_rebuild');
  const rows = await tx.query<{ memories: number }>(
    `insert into search_rebuild (workspace_id, below, memories)
     select m.workspace_id, null, count(*) from ${memoryRows} m where ${isReady('m.id')} group by 1 returning memories`,
  );
  return rows.reduce((sum, { memories }) => sum + memories, 0);
}

/** Whether a memory of this workspace may be missing in the index because of a rebuild. */
export async function isRebuilding(tx: Transaction, workspaceId: string): Promise<boolean> {
  return (await tx.query('select 1 from search_rebuild where workspace_id = $1', [workspaceId])).length > 0;
}

/** SQL: a memory of the workspace with this id may be missing in the index because of a rebuild. */
export const rebuildingSql = (workspaceId: string): string =>
  `exists (select 1 from search_rebuild r where r.workspace_id = ${workspaceId})`;

/** About how many memories are not in the index yet; null when no rebuild is in progress. */
export async function rebuildLeft(tx: Transaction): Promise<number | null> {
  const [row] = await tx.query<{ left: number | null }>('select sum(memories)::bigint as "left" from search_rebuild');
  return row?.left ?? null;
}

/** The next memories of a rebuild. */
export interface RebuildPage {
  readonly workspaceId: string;
  /** Without any, the workspace is complete. */
  readonly memoryIds: readonly string[];
}

interface PageRow extends Row {
  workspaceId: string;
  memoryIds: string[];
}

/**
 * The next memories of the workspace with the fewest, so that most workspaces are complete soon.
 * @param most the number of memories, and the bytes of their texts: one memory may have more
 * @returns null when the index is complete
 */
export async function nextPage(
  tx: Transaction,
  most: { readonly memories: number; readonly bytes: number },
): Promise<RebuildPage | null> {
  const [row] = await tx.query<PageRow>(
    `select r.workspace_id::text as "workspaceId", array(
        select p.id::text from (
          select m.id, sum(m.size) over (order by m.id desc) - m.size as before from (
            select id, size from ${memoryRows}
             where workspace_id = r.workspace_id and id < coalesce(r.below, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
             order by id desc limit $1) m) p
         where p.before < $2 order by p.id desc) as "memoryIds"
       from (select * from search_rebuild order by memories, workspace_id limit 1) r`,
    [most.memories, most.bytes],
  );
  return row ?? null;
}

/** Notes that the memories of the page are in the index, or never will be. */
export async function endPage(tx: Transaction, { workspaceId, memoryIds }: RebuildPage): Promise<void> {
  const last = memoryIds.at(-1);
  if (last === undefined) await tx.query('delete from search_rebuild where workspace_id = $1', [workspaceId]);
  else
    await tx.query(
      'update search_rebuild set below = $2, memories = greatest(memories - $3, 0) where workspace_id = $1',
      [workspaceId, last, memoryIds.length],
    );
}

/**
 * Locks those of these memories that are still in the namespace, so that they cannot be deleted or moved until the transaction
 * ends. Memories that another transaction is changing are left out, because waiting for them could end in a deadlock.
 */
export async function lockUnmoved(
  tx: Transaction,
  documents: readonly { readonly memoryId: string; readonly namespaceId: string }[],
): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    `select m.id::text from ${memoryRows} m join unnest($1::uuid[], $2::uuid[]) d(id, namespace_id)
         on m.id = d.id and m.namespace_id = d.namespace_id
      order by m.id for share of m skip locked`,
    [documents.map(({ memoryId }) => memoryId), documents.map(({ namespaceId }) => namespaceId)],
  );
  return new Set(rows.map(({ id }) => id));
}
