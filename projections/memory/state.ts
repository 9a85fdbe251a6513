import type { Stage } from '../../contracts/memory.js';
import type { Row, Transaction } from '../../src/database/database.js';
import { comparedName, whiteSpace } from '../../src/domain/namespace-name.js';
import { vaultRows } from '../../src/ledger/rows.js';
import { jobRows, stageOfJob } from '../ingest/rows.js';
import { namespaceRows } from '../namespace/rows.js';

export interface NamespaceRow extends Row {
  id: string;
  name: string;
  is_default: boolean;
  deleted: boolean;
  text_config: string;
}

export interface MemoryRow extends Row {
  id: string;
  namespace_id: string;
  content_hash: string;
  job_id: string;
  stage: Stage;
  receipt_id: string;
  receipt_hash: string;
  invalidated: boolean;
  invalidation_receipt_id: string | null;
  playground: boolean;
  /** Null for a memory that was not found by its content. */
  metadata: string | null;
  source: string | null;
}

/**
 * The condition on `namespaces n` for the default namespace of workspace $1 and those that $2 names, by id or by the name as it is
 * compared.
 */
const named = `n.workspace_id = $1 and (n.is_default or n.id::text = any($2::text[])
  or (n.deleted_at is null and translate(n.name, '${whiteSpace}', '${' '.repeat(whiteSpace.length)}') = any($2::text[])))`;

export async function namespacesNamed(tx: Transaction, workspaceId: string, names: readonly string[]) {
  return tx.select<NamespaceRow>(
    `select n.id::text, n.name, n.is_default, n.deleted_at is not null as deleted, n.text_config from ${namespaceRows} n where ${named}`,
    [workspaceId, names.map(comparedName)],
  );
}

/**
 * Memories of a workspace by id, or by content in the namespaces named, each with the job that makes it searchable. One that is found
 * by both comes twice.
 */
export async function memoriesFor(
  tx: Transaction,
  workspaceId: string,
  names: readonly string[],
  ids: readonly string[],
  contentHashes: readonly string[],
) {
  // "offset 0" forces one look-up for each namespace and content, and for the job and the texts of each memory that is found. Without it
  // the planner reads all memories of the workspace, and all jobs: 18 ms for each append among 56,000, instead of 0.1 ms.
  // "is not distinct from" is a condition that no index is read for. A planner whose statistics are of the time when the store had few
  // memories reads the index of the workspace or the namespace as a whole otherwise: .9 of .9 ms among 3,400 memories, and .2 without.
  // The lists are subqueries so that the statement is planned once for a connection: a planner that sees the lists finds each time
  // that a plan for just these is better, and planning took 0.6 of the 2.4 ms that the server works for a lone write.
  return tx.select<MemoryRow>(
    `select m.id::text, m.namespace_id::text, m.content_hash, coalesce(j.job_id, m.id)::text as job_id, ${stageOfJob} as stage,
            m.receipt_id, m.receipt_hash, m.invalidated, m.invalidation_receipt_id, m.playground, v.metadata, v.source
       from (
         select * from memories where id = any((select $3::uuid[])::uuid[]) and workspace_id is not distinct from $1
         union all
         select found.* from ${namespaceRows} n cross join unnest((select $4::text[])) as h(hash) cross join lateral (
           select * from memories where content_hash = h.hash and namespace_id is not distinct from n.id offset 0) found
          where ${named}
       ) m left join lateral (select * from ${jobRows} where memory_id = m.id offset 0) j on true
       left join lateral (select metadata, source from ${vaultRows} where receipt_id = m.receipt_id offset 0) v
              on m.content_hash = any((select $4::text[])::text[])`,
    [workspaceId, names.map(comparedName), ids, contentHashes],
  );
}

/** How many memories each of these namespaces holds. */
export function memoryCounts(tx: Transaction, namespaceIds: readonly string[]) {
  return tx.select<{ id: string; count: number }>(
    `select id::text, coalesce((select memories from memory_counts where namespace_id = n.id), 0) as count
       from unnest($1::uuid[]) n(id)`,
    [namespaceIds],
  );
}
