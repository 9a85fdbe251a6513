import type { Row, Transaction } from '../../src/adapters/database/database.js';
import { lockNamespaces } from './blocks.js';
import { addVectors, removeVectors, type VectorDocument } from './vector-index.js';

/** A memory whose vectors are of another model than the one in use, and what tells whether its text is the one that was written. */
export interface Outdated extends Row {
  memoryId: string;
  namespaceId: string;
  textConfig: string;
  receipt_id: string;
  receipt_hash: string;
  entry: Uint8Array;
  salt: Uint8Array;
  content: string;
  metadata: string;
  source: string | null;
  label: string | null;
}

/** Whether the namespaces hold a memory whose vectors are of another model. */
export async function anyOfOtherModels(
  tx: Transaction,
  namespaceIds: readonly string[],
  model: string,
): Promise<boolean> {
  const rows = await tx.query(
    // Two ranges of the index: "<>" would read every row that is of the right model. Those still being added have none.
    `select 1 from search_documents where ((model > '' and model < $2) or model > $2) and namespace_id = any($1::uuid[]) limit 1`,
    [namespaceIds, model],
  );
  return rows.length > 0;
}

/** Up to `limit` memories, after `after` in the order of ids, whose vectors are of another model. */
export function outdatedDocuments(
  tx: Transaction,
  model: string,
  after: string | null,
  limit: number,
): Promise<Outdated[]> {
  return tx.query<Outdated>(
    `select d.memory_id::text as "memoryId", d.namespace_id::text as "namespaceId", n.text_config as "textConfig",
            m.receipt_id, m.receipt_hash, e.bytes as entry, v.salt, v.content, v.metadata, v.source, v.label
       from search_documents d join memories m on m.id = d.memory_id join vault v on v.receipt_id = m.receipt_id
       join entries e on e.chain = m.workspace_id and e.seq = m.seq
       join namespaces n on n.id = d.namespace_id
      where ((d.model > '' and d.model < $1) or d.model > $1) and ($2::uuid is null or d.memory_id > $2::uuid)
      order by d.memory_id limit $3`,
    [model, after, limit],
  );
}

/** Puts the vectors of another model in the place of those that documents have. Deleted ones are passed over. */
export async function replaceVectors(tx: Transaction, docs: readonly VectorDocument[]): Promise<void> {
  const ids = docs.map((doc) => doc.memoryId);
  await lockNamespaces(tx, ids);
  // A new version of the namespaces' rows, which is what tells searches that codes have changed.
  await tx.query(
    `update search_namespaces set documents = documents where namespace_id in
       (select namespace_id from search_documents where memory_id = any($1::uuid[]))`,
    [ids],
  );
  await removeVectors(tx, ids, null);
  await addVectors(tx, docs);
  await tx.query(
    `update search_documents s set model = d.model from unnest($1::uuid[], $2::text[]) d(id, model)
      where s.memory_id = d.id`,
    [ids, docs.map((doc) => doc.model)],
  );
}
