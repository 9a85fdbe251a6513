import type { Transaction } from '../../src/database/database.js';
import { memoryRows } from '../memory/rows.js';
import { lockNamespaces, mergedEntries, postingBits, type Removed, removeEntries, termOf } from './blocks.js';
import { bucketOf, lastBucket, lengthOf, postingOf, postingWidth } from './buckets.js';
import { unfinished } from './step.js';
import { addVectors, removeVectors, type VectorDocument } from './vector-index.js';

/** The data of a memory that is indexed. */
export interface SearchDocument extends VectorDocument {
  readonly namespaceId: string;
  /** A PostgreSQL text search configuration, such as `simple` or `english`. */
  readonly textConfig: string;
  /** The text with spaces between all words, also for scripts that are written without spaces. */
  readonly text: string;
}

/**
 * Adds documents to the index, in about a dozen statements for any number of documents. A document that is in the index
 * already is replaced, and a document whose memory was deleted meanwhile is skipped. Of two writers of one namespace, the
 * second waits until the transaction of the first has ended.
 */
export async function addDocuments(tx: Transaction, docs: readonly SearchDocument[]): Promise<void> {
  if (docs.length === 0) return;
  const ids = docs.map((doc) => doc.memoryId);
  await removeDocuments(tx, ids);
  await addTexts(tx, docs);
  await tx.query(
    `insert into search_documents (memory_id, namespace_id, seq, length, model)
     select m.id, d.namespace_id, m.seq, (select coalesce(sum(cardinality(u.positions)), 0)
         from search_texts s cross join unnest(s.words) u where s.memory_id = m.id), d.model
       from unnest($1::uuid[], $2::uuid[], $3::text[]) d(id, namespace_id, model) join ${memoryRows} m on m.id = d.id`,
    [ids, docs.map((doc) => doc.namespaceId), docs.map((doc) => doc.model)],
  );
  // From here to the end of the transaction this is the only writer of these namespaces: the row is locked.
  await tx.query(
    `insert into search_namespaces as n (namespace_id, documents, length)
     select namespace_id, count(*), sum(length) from search_documents where memory_id = any($1::uuid[])
      group by namespace_id order by namespace_id
     on conflict (namespace_id) do update
        set documents = n.documents + excluded.documents, length = n.length + excluded.length`,
    [ids],
  );
  await tx.query(
    `insert into search_postings as p (bucket, block, entries)
     with words as (
       select d.namespace_id, ${termOf('u.lexeme', 'd.namespace_id')} as term, d.seq, sum(cardinality(u.positions)) as frequency
         from search_documents d join search_texts s using (memory_id) cross join unnest(s.words) u
        where d.memory_id = any($1::uuid[]) group by 1, 2, 3)
     select bucket, seq >> ${postingBits}, string_agg(entry, ''::bytea order by entry)
       from (select ${bucketOf('term', 'namespace_id')} as bucket, seq, ${postingOf('term', 'seq', 'frequency')} as entry from words
             union all
             select ${lastBucket('namespace_id')}, seq, ${lengthOf('seq', 'length')}
               from search_documents where memory_id = any($1::uuid[])) e
      group by 1, 2 order by 1, 2
     on conflict (bucket, block) do update set entries = ${mergedEntries('p.entries', 'excluded.entries', postingWidth)}`,
    [ids],
  );
  await addVectors(tx, docs);
}

/** Removes memories from the index without a trace. Ids that are not in the index are skipped. */
export async function removeDocuments(tx: Transaction, memoryIds: readonly string[]): Promise<void> {
  const found = await tx.query('select 1 from search_documents where memory_id = any($1::uuid[]) limit 1', [memoryIds]);
  if (found.length === 0) return;
  await lockNamespaces(tx, memoryIds);
  const postings = await tx.query<Removed>(
    `select bucket::text as key, seq >> ${postingBits} as block, ${postingWidth} as width,
            array_agg((seq & ${2 ** postingBits - 1})::integer) as offsets
       from (select ${bucketOf(termOf('u.lexeme', 'd.namespace_id'), 'd.namespace_id')} as bucket, d.seq
               from search_documents d join search_texts s using (memory_id) cross join unnest(s.words) u
              where d.memory_id = any($1::uuid[])
             union
             select ${lastBucket('namespace_id')}, seq from search_documents where memory_id = any($1::uuid[])) t
      group by 1, 2 order by 1, 2`,
    [memoryIds],
  );
  await removeEntries(tx, { name: 'search_postings', key: 'bucket' }, postings);
  await removeVectors(tx, memoryIds);
  await uncount(tx, memoryIds);
  await tx.query(
    `delete from search_namespaces n where documents = 0 and namespace_id in
       (select namespace_id from search_documents where memory_id = any($1::uuid[]))
       and not exists (select 1 from search_documents d
                        where d.namespace_id = n.namespace_id and d.memory_id <> all($1::uuid[]))`,
    [memoryIds],
  );
  await tx.query('delete from search_texts where memory_id = any($1::uuid[])', [memoryIds]);
  await tx.query('delete from search_documents where memory_id = any($1::uuid[])', [memoryIds]);
}

/**
 * Hides memories, so that searches neither find nor count them. Their rows in the index are removed later: see removal.ts. The
 * codes stay too. For a deleted memory they cannot give a hit, but if the memory still exists the caller must remove them in
 * the same transaction.
 */
export async function hideDocuments(tx: Transaction, memoryIds: readonly string[]): Promise<void> {
  await lockNamespaces(tx, memoryIds);
  await uncount(tx, memoryIds);
  await tx.query('update search_documents set model = $2 where memory_id = any($1::uuid[]) and model <> $2', [
    memoryIds,
    unfinished,
  ]);
}

/**
 * Subtracts documents from the counts of their namespaces. Documents that are still being added, or are hidden, are not
 * counted, but the row of the namespace gets a new version even then, because searches notice a change of the index by this
 * version. Writers of the namespace lock this row while they work.
 */
async function uncount(tx: Transaction, memoryIds: readonly string[]): Promise<void> {
  await tx.query(
    `update search_namespaces n set documents = n.documents - d.documents, length = n.length - d.length
       from (select namespace_id, count(*) filter (where model <> $2) as documents,
                    coalesce(sum(length) filter (where model <> $2), 0) as length
               from search_documents where memory_id = any($1::uuid[]) group by 1) d
      where n.namespace_id = d.namespace_id`,
    [memoryIds, unfinished],
  );
}

async function addTexts(tx: Transaction, docs: readonly SearchDocument[]): Promise<void> {
  const parts = docs.flatMap((doc) => partsOf(doc.text).map((text, part) => ({ doc, part, text })));
  await tx.query(
    `insert into search_texts (memory_id, part, words)
     select d.id, d.part, to_tsvector(d.config::regconfig, d.text)
       from unnest($1::uuid[], $2::integer[], $3::text[], $4::text[]) d(id, part, config, text)
       join ${memoryRows} m on m.id = d.id`,
    [
      parts.map(({ doc }) => doc.memoryId),
      parts.map(({ part }) => part),
      parts.map(({ doc }) => doc.textConfig),
      parts.map(({ text }) => text),
    ],
  );
}

/**
 * Divides a text into parts that fit into a tsvector, which stops counting positions at 16,383 and refuses more than 1 MiB of
 * words. A part ends at the first space after 30,000 characters; if none follows, it ends at 32,000 characters.
 */
export const partsOf = (text: string): readonly string[] => text.match(/.{1,30000}\S{0,2000}/gsu) ?? [''];
