import type { Row, Transaction } from '../../../src/database/database.js';
import { followerRows } from '../../../src/ledger/rows.js';
import { namespaceRows } from '../../namespace/rows.js';
import { isOfKind, receiptRows } from '../../receipts/rows.js';
import type { EngineCopy } from '../engine-index.js';
import { rebuildingSql } from '../rebuild-progress.js';

/** The name of the follower of every index. Its version is the number of the index. */
export const followerName = 'elasticsearch';

/** The index that answers searches. */
interface ServingIndex extends Row {
  readonly number: number;
  readonly name: string;
  /** The version of its documents. */
  readonly version: number;
  /** The model of its vectors. */
  readonly model: string;
}

/** @returns null before the first index is complete, and after an index was lost */
export async function servingIndex(tx: Transaction): Promise<ServingIndex | null> {
  const [row] = await tx.query<ServingIndex>(
    "select number, name, version, model from search_indices where state = 'serving'",
  );
  return row ?? null;
}

/** Whether a memory of one of these namespaces is ready in the database, and is not in Elasticsearch as the database has it. */
async function isBehind(tx: Transaction, namespaceIds: readonly string[]): Promise<boolean> {
  return (await behindAmong(tx, namespaceIds)).size > 0;
}

/**
 * The namespaces of which a memory is ready in the database, and is not in Elasticsearch as the database has it. It reads the
 * position of the follower, and only the entries behind it, of which there are few.
 */
async function behindAmong(tx: Transaction, namespaceIds: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    `select n.id::text from ${namespaceRows} n
       left join search_indices i on i.state = 'serving'
       left join ${followerRows} f on f.name = '${followerName}/' || i.number and f.chain = n.workspace_id
      where n.id = any($1::uuid[]) and (i.number is null or ${rebuildingSql('n.workspace_id')}
        or exists (select 1 from search_documents d
                    where d.namespace_id = n.id and d.seq > coalesce(f.seq, 0) and d.model <> '')
        or exists (select 1 from ${receiptRows} r where ${isOfKind('r', 'n.workspace_id', 'memory.moved')}
                    and r.seq > coalesce(f.seq, 0) and n.id = any(r.namespace_ids))
        or exists (select 1 from search_copies c join search_documents d on d.memory_id = c.memory_id
                    where c.index_number = i.number and c.chain = n.workspace_id and c.is_due and d.namespace_id = n.id
                      and d.model <> '' and (not c.is_sent or d.model = i.model)))`,
    [namespaceIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * The copy in Elasticsearch, as the database knows it. An index with documents of another version has other words, so it is behind
 * until the one is complete that is built beside it.
 * @param version of the documents that this process asks for
 */
export const storedCopy =
  (version: number) =>
  async (tx: Transaction, namespaceIds: readonly string[]): Promise<EngineCopy> => {
    const index = await servingIndex(tx);
    if (!index) return { index: null, model: '', isBehind: true };
    const { name, model } = index;
    return { index: name, model, isBehind: index.version !== version || (await isBehind(tx, namespaceIds)) };
  };
