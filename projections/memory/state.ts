import type { Row, Transaction } from '../../src/adapters/database/database.js';

export interface NamespaceRow extends Row {
  id: string;
  name: string;
  is_default: boolean;
}

export interface MemoryRow extends Row {
  id: string;
  namespace_id: string;
  content_hash: string;
  job_id: string;
  stage: string;
  receipt_id: string;
  receipt_hash: string;
}

/** The default namespace and those named, by id or name. */
export async function namespacesNamed(tx: Transaction, workspaceId: string, named: readonly string[]) {
  return tx.query<NamespaceRow>(
    `select id::text, name, is_default from namespaces
      where workspace_id = $1 and (is_default or id::text = any($2::text[]) or name = any($2::text[]))`,
    [workspaceId, named],
  );
}

/** Memories of a workspace by id or by content, each with the job that makes it searchable. */
export async function memoriesFor(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[],
  contentHashes: readonly string[],
) {
  // Two index look-ups joined by union: an OR over both columns would read every memory of the workspace.
  return tx.query<MemoryRow>(
    `select m.id::text, m.namespace_id::text, m.content_hash, j.job_id::text, j.stage, m.receipt_id, m.receipt_hash
       from (
         select * from memories where id = any($2::uuid[]) and workspace_id = $1
         union
         select * from memories where content_hash = any($3::text[]) and workspace_id = $1
            and namespace_id in (select id from namespaces where workspace_id = $1)
       ) m join jobs j on j.memory_id = m.id`,
    [workspaceId, ids, contentHashes],
  );
}
