import type { Transaction } from '../../src/database/database.js';
import { insertBlocks, insertDocuments, insertVectors } from './added.js';
import { postingBits, type Removed, removeEntries, termOf } from './blocks.js';
import { bucketOf, lastBucket, postingWidth } from './buckets.js';
import { removing, removingEmpty } from './counts.js';
import type { SearchDocument } from './document.js';
import { type Encoded, encodedDocuments, type Prepared } from './encoded.js';
import { numbered } from './new-blocks.js';
import { insertRecent, lockNamespaces, sealBefore, sealNamespaces } from './sealing.js';
import { unfinished } from './step.js';
import { removeVectors } from './vector-index.js';

/** A document that is newer than all others of its namespace, with the number of its memory. */
export interface NewDocument extends Prepared {
  readonly seq: number;
}

/**
 * Adds documents that cannot be in the index yet, behind all others. All statements are sent together, so no one waits for an answer in
 * between. Some writes seal earlier documents: see recent.ts.
 */
export async function addNewDocuments(tx: Transaction, documents: readonly NewDocument[]): Promise<void> {
  if (documents.length === 0) return;
  const encoded = await encodedDocuments((work) => work(tx), documents);
  const placed = encoded.map((one, i) => ({ ...one, seq: documents[i]?.seq ?? 0 }));
  const [added] = await Promise.all([
    insertDocuments(tx, encoded, 'recent'),
    insertRecent(
      tx,
      placed.map((one) => numbered(one, one.seq)),
    ),
    insertVectors(tx, placed),
  ]);
  const complete = new Map(
    added.flatMap(({ namespaceId, sealBefore }) => (sealBefore === null ? [] : [[namespaceId, sealBefore] as const])),
  );
  if (complete.size > 0) await sealBefore(tx, complete);
}

/**
 * Adds documents to the index, in few statements for any number of them. A document that is in the index already is replaced, and a
 * document whose memory was deleted meanwhile is skipped. Of two writers of one namespace, the second waits until the transaction of
 * the first has ended.
 */
export async function addDocuments(tx: Transaction, documents: readonly SearchDocument[]): Promise<void> {
  if (documents.length === 0) return;
  const encoded = await encodedDocuments((work) => work(tx), documents);
  await replaceDocuments(tx, encoded);
}

/** The same for documents most of which are not in the index, and whose rows are made already. */
export async function addEncoded(tx: Transaction, documents: readonly Encoded[]): Promise<void> {
  const added = await insert(tx, documents);
  const others = documents.filter(({ memoryId }) => !added.has(memoryId));
  if (others.length > 0) await replaceDocuments(tx, others);
}

async function replaceDocuments(tx: Transaction, documents: readonly Encoded[]): Promise<void> {
  await removeDocuments(
    tx,
    documents.map(({ memoryId }) => memoryId),
  );
  await insert(tx, documents);
}

/** @returns the ids of those that were added */
async function insert(tx: Transaction, documents: readonly Encoded[]): Promise<ReadonlySet<string>> {
  const added = await insertDocuments(tx, documents, 'blocks');
  const byId = new Map(documents.map((one) => [one.memoryId, one]));
  const placed = added.flatMap(({ id, seq }) => {
    const one = byId.get(id);
    return one ? [{ ...one, seq }] : [];
  });
  if (placed.length === 0) return new Set();
  await Promise.all([
    sealNamespaces(tx, [...new Set(placed.map(({ namespaceId }) => namespaceId))]),
    insertBlocks(
      tx,
      placed.map((one) => numbered(one, one.seq)),
    ),
    insertVectors(tx, placed),
  ]);
  return new Set(added.map(({ id }) => id));
}

/** Removes memories from the index without a trace. Ids that are not in the index are skipped. */
export async function removeDocuments(tx: Transaction, memoryIds: readonly string[]): Promise<void> {
  const found = await tx.query(
    'select 1 from search_documents where memory_id = any((select $1::uuid[])::uuid[]) limit 1',
    [memoryIds],
  );
  if (found.length > 0) await removeFound(tx, memoryIds);
}

/** The same for memories of which the caller has found that they are in the index. */
export async function removeFound(tx: Transaction, memoryIds: readonly string[]): Promise<void> {
  await lockNamespaces(tx, memoryIds);
  const postings = await tx.query<Removed>(
    `select bucket::text as key, seq >> ${postingBits} as block, ${postingWidth} as width,
            array_agg((seq & ${2 ** postingBits - 1})::integer) as offsets
       from (select ${bucketOf(termOf('u.lexeme', 'd.namespace_id'), 'd.namespace_id')} as bucket, d.seq
               from search_documents d join search_texts s using (memory_id) cross join unnest(s.words) u
              where d.memory_id = any((select $1::uuid[])::uuid[])
             union
             select ${lastBucket('namespace_id')}, seq from search_documents where memory_id = any((select $1::uuid[])::uuid[])) t
      group by 1, 2 order by 1, 2`,
    [memoryIds],
  );
  await removeEntries(tx, { name: 'search_postings', key: 'bucket' }, postings);
  await removeVectors(tx, memoryIds);
  await uncount(tx, memoryIds);
  await tx.query(
    removingEmpty(`namespace_id in
       (select namespace_id from search_documents where memory_id = any((select $1::uuid[])::uuid[]))
       and not exists (select 1 from search_documents d
                        where d.namespace_id = n.namespace_id and d.memory_id <> all($1::uuid[]))`),
    [memoryIds],
  );
  await tx.query('delete from search_texts where memory_id = any((select $1::uuid[])::uuid[])', [memoryIds]);
  await tx.query('delete from search_documents where memory_id = any((select $1::uuid[])::uuid[])', [memoryIds]);
}

/**
 * Hides memories, so that searches neither find nor count them. Their rows in the index are removed later: see removal.ts. The
 * codes stay too. For a deleted memory they cannot give a hit, but if the memory still exists the caller must remove them in
 * the same transaction.
 */
export async function hideDocuments(tx: Transaction, memoryIds: readonly string[]): Promise<void> {
  await lockNamespaces(tx, memoryIds);
  await uncount(tx, memoryIds);
  await tx.query(
    'update search_documents set model = $2 where memory_id = any((select $1::uuid[])::uuid[]) and model <> $2',
    [memoryIds, unfinished],
  );
}

/**
 * Subtracts documents from the counts of their namespaces, and makes searches read the index of these namespaces again, also where the
 * documents are not counted, because they are still being added or are hidden. Writers of a namespace lock its row while they work.
 */
async function uncount(tx: Transaction, memoryIds: readonly string[]): Promise<void> {
  await tx.query(
    `with uncounted as (
     update search_namespaces n set documents = n.documents - d.documents, length = n.length - d.length
       from (select namespace_id, count(*) filter (where model <> $2) as documents,
                    coalesce(sum(length) filter (where model <> $2), 0) as length
               from search_documents where memory_id = any((select $1::uuid[])::uuid[]) group by 1) d
      where n.namespace_id = d.namespace_id returning n.namespace_id),
     ${removing('uncounted', 'search_documents where memory_id = any((select $1::uuid[])::uuid[])')}`,
    [memoryIds, unfinished],
  );
}
