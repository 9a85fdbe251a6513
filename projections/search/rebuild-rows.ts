import type { Row, Transaction } from '../../src/database/database.js';
import { entryRows, vaultRows } from '../../src/ledger/rows.js';
import { isReady } from '../ingest/rows.js';
import { memoryRows } from '../memory/rows.js';
import { namespaceRows } from '../namespace/rows.js';

/**
 * Limits of one transaction of a rebuild. On the embedded database other requests wait for one batch. A larger memory is added
 * in steps.
 */
const batchMemories = 1024;
const batchBytes = 256 * 1024;

/** A memory that is ready, with its texts and the fields that prove that they are the ones that were written. */
export interface ReadyMemory extends Row {
  readonly memoryId: string;
  readonly namespaceId: string;
  readonly textConfig: string;
  readonly receipt_id: string;
  readonly receipt_hash: string;
  readonly entry: Uint8Array;
  readonly salt: Uint8Array;
  readonly content: string;
  readonly metadata: string;
  readonly source: string | null;
  readonly label: string | null;
}

export async function countReady(tx: Transaction): Promise<number> {
  const [ready] = await tx.query<{ total: number }>(
    `select count(*) as total from ${memoryRows} m where ${isReady('m.id')}`,
  );
  return ready?.total ?? 0;
}

const columns = `m.id::text as "memoryId", m.namespace_id::text as "namespaceId", n.text_config as "textConfig",
  m.receipt_id, m.receipt_hash, e.bytes as entry, v.salt, v.content, v.metadata, v.source, v.label`;
const about = `join ${namespaceRows} n on n.id = m.namespace_id join ${vaultRows} v on v.receipt_id = m.receipt_id
  join ${entryRows} e on e.chain = m.workspace_id and e.seq = m.seq`;

export function readyMemories(tx: Transaction, after: string): Promise<ReadyMemory[]> {
  return tx.query<ReadyMemory>(
    `select ${columns} from (
       select *, sum(size) over (order by id) - size as before from (
         select m.* from ${memoryRows} m where m.id > $1 and ${isReady('m.id')} order by m.id limit $2) page) m
       ${about} where m.before < $3 order by m.id`,
    [after, batchMemories, batchBytes],
  );
}

/**
 * Locks memories so that they cannot be deleted until the transaction ends. Without this lock, a memory that is deleted between
 * two statements of `addDocuments` would leave its texts without a document.
 * @returns the memories that still exist
 */
export async function keepMemories(tx: Transaction, documents: readonly { memoryId: string }[]): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    `select m.id::text from ${memoryRows} m where m.id = any($1::uuid[]) order by m.id for key share`,
    [documents.map(({ memoryId }) => memoryId)],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Those of these memories that are ready and not in the index yet. A document that was begun is not in it. */
export function missingAmong(tx: Transaction, memoryIds: readonly string[]): Promise<ReadyMemory[]> {
  return tx.query<ReadyMemory>(
    // Each is looked up by its id: the tables have no statistics yet.
    `select ${columns} from unnest($1::uuid[]) t(id)
      cross join lateral (select * from ${memoryRows} where id = t.id offset 0) m
       left join lateral (select 1 as finished from search_documents d where d.memory_id = t.id and d.model <> '' offset 0) d on true
       ${about} where d.finished is null and ${isReady('t.id')} order by m.id desc`,
    [memoryIds],
  );
}

export function readyMeanwhile(tx: Transaction, after: string): Promise<ReadyMemory[]> {
  return tx.query<ReadyMemory>(
    `select ${columns} from ${memoryRows} m ${about}
      where m.id > $1 and ${isReady('m.id')} and not exists (select 1 from search_documents d where d.memory_id = m.id) order by m.id limit 10`,
    [after],
  );
}

/** The documents whose memory was deleted or moved meanwhile. A moved memory is added again with those that became ready. */
export async function goneMeanwhile(tx: Transaction): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select d.memory_id::text as id from search_documents d
      where not exists (select 1 from ${memoryRows} m where m.id = d.memory_id and m.namespace_id = d.namespace_id)`,
  );
  return rows.map((row) => row.id);
}
