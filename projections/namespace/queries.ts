import type { Row, Transaction } from '../../src/database/database.js';
import { memoryCountRows, memoryRows } from '../memory/rows.js';

export interface NamespaceView extends Row {
  id: string;
  name: string;
  is_default: boolean;
  created_at: string;
  updated_at: string;
  memory_count?: number;
  last_activity_at?: string | null;
}

/** Namespaces by name, those after `afterName`, among `ids`; with counts only on request. */
export async function listNamespaces(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[],
  afterName: string | null,
  limit: number,
  stats: boolean,
): Promise<NamespaceView[]> {
  const counted = stats
    ? `, coalesce((select c.memories from ${memoryCountRows} c where c.namespace_id = n.id), 0) as memory_count,
         (select max(m.updated_at) from ${memoryRows} m where m.namespace_id = n.id) as last_activity_at`
    : '';
  return tx.query<NamespaceView>(
    `select n.id::text, n.name, n.is_default, n.created_at, n.updated_at ${counted}
       from namespaces n
      where n.workspace_id = $1 and n.deleted_at is null and n.id = any($2::uuid[]) and ($3::text is null or n.name > $3)
      order by n.name limit $4`,
    [workspaceId, ids, afterName, limit],
  );
}

/** One namespace of a workspace, also one that was deleted. */
export async function namespaceById(
  tx: Transaction,
  workspaceId: string,
  id: string,
): Promise<(NamespaceView & { deleted: boolean }) | undefined> {
  const [row] = await tx.query<NamespaceView & { deleted: boolean }>(
    `select id::text, name, is_default, created_at, updated_at, deleted_at is not null as deleted
       from namespaces where workspace_id = $1 and id = $2::uuid`,
    [workspaceId, id],
  );
  return row;
}

/** The namespaces among `ids` that are not deleted, by name. */
export function namespacesByIds(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<NamespaceView[]> {
  return tx.query<NamespaceView>(
    `select id::text, name, is_default, created_at, updated_at from namespaces
      where workspace_id = $1 and deleted_at is null and id = any($2::uuid[]) order by name`,
    [workspaceId, ids],
  );
}

/** Whether the workspace has a namespace that is not among `ids`, and is from before there was the scope receipts.read. */
export async function hasEarlierNamespaceBesides(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from namespaces
      where workspace_id = $1 and deleted_at is null and not by_scope and id <> all($2::uuid[]) limit 1`,
    [workspaceId, ids],
  );
  return rows.length > 0;
}
