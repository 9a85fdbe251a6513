import type { Transaction } from '../../src/database/database.js';
import type { Facts } from '../../src/domain/rank/facts.js';
import type { IndexedPart } from '../../src/domain/tokens/indexed.js';
import { memoryRows } from '../memory/rows.js';
import { lockNamespaces, mergedEntries, postingBits, type Removed, removeEntries, termOf } from './blocks.js';
import { bucketOf, lastBucket, lengthOf, postingOf, postingWidth } from './buckets.js';
import { countingAdded, removingEmpty, rewriting } from './counts.js';
import { whoOf } from './facts.js';
import { unfinished } from './step.js';
import { addVectors, removeVectors, type VectorDocument } from './vector-index.js';
import { countedOf, insertWords } from './words.js';

/** The data of a memory that is indexed. */
export interface SearchDocument extends VectorDocument {
  readonly namespaceId: string;
  /** A PostgreSQL text search configuration, such as `simple` or `english`. */
  readonly textConfig: string;
  /** The tokens of the parts of its text. */
  readonly parts: readonly IndexedPart[];
  readonly facts: Facts;
}

/**
 * A document with more distinct tokens is added in several transactions. The embedded database runs one transaction at a time, so
 * other requests wait for each of them.
 */
const largeTokens = 2000;

export const isLarge = ({ parts }: Pick<SearchDocument, 'parts'>): boolean =>
  parts.reduce((sum, { texts }) => sum + texts.length, 0) > largeTokens;

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
    `insert into search_documents (memory_id, namespace_id, seq, length, asks, says_when, who, model)
     select m.id, d.namespace_id, m.seq, (select coalesce(sum(${countedOf('u.weights')}), 0)
         from search_texts s cross join unnest(s.words) u where s.memory_id = m.id),
            d.asks, d.says_when, ${whoOf('d.speaker', 'd.namespace_id')}, d.model
       from unnest((select $1::uuid[]), (select $2::uuid[]), (select $3::text[]), (select $4::boolean[]), (select $5::boolean[]), (select $6::text[]))
              d(id, namespace_id, model, asks, says_when, speaker) join ${memoryRows} m on m.id = d.id`,
    [
      ids,
      docs.map((doc) => doc.namespaceId),
      docs.map((doc) => doc.model),
      docs.map(({ facts }) => facts.asks),
      docs.map(({ facts }) => facts.saysWhen),
      docs.map(({ facts }) => facts.speaker),
    ],
  );
  // From here to the end of the transaction this is the only writer of these namespaces: the row is locked.
  await tx.query(`with ${countingAdded('search_documents where memory_id = any((select $1::uuid[])::uuid[])')}`, [ids]);
  await insertPostings(tx, ids);
  await addVectors(tx, docs);
}

/** Adds the words of documents whose texts are in the index to the lists. The caller must hold the locks of the namespaces. */
export async function insertPostings(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.write(
    `insert into search_postings as p (bucket, block, entries)
     with words as (
       select d.namespace_id, ${termOf('u.lexeme', 'd.namespace_id')} as term, d.seq, sum(cardinality(u.positions)) as frequency
         from search_documents d join search_texts s using (memory_id) cross join unnest(s.words) u
        where d.memory_id = any((select $1::uuid[])::uuid[]) group by 1, 2, 3)
     select bucket, seq >> ${postingBits}, string_agg(entry, ''::bytea order by entry)
       from (select ${bucketOf('term', 'namespace_id')} as bucket, seq, ${postingOf('term', 'seq', 'frequency')} as entry from words
             union all
             select ${lastBucket('namespace_id')}, seq, ${lengthOf('seq', 'length')}
               from search_documents where memory_id = any((select $1::uuid[])::uuid[])) e
      group by 1, 2 order by 1, 2
     on conflict (bucket, block) do update set entries = ${mergedEntries('p.entries', 'excluded.entries', postingWidth)}`,
    [ids],
  );
}

/** Removes memories from the index without a trace. Ids that are not in the index are skipped. */
export async function removeDocuments(tx: Transaction, memoryIds: readonly string[]): Promise<void> {
  const found = await tx.query(
    'select 1 from search_documents where memory_id = any((select $1::uuid[])::uuid[]) limit 1',
    [memoryIds],
  );
  if (found.length === 0) return;
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
      where n.namespace_id = d.namespace_id returning n.namespace_id)
     ${rewriting('uncounted')}`,
    [memoryIds, unfinished],
  );
}

function addTexts(tx: Transaction, docs: readonly SearchDocument[]): Promise<void> {
  const rows = docs.flatMap(({ memoryId, textConfig, parts }) =>
    parts.map((tokens, part) => ({ memoryId, part, textConfig, tokens })),
  );
  return insertWords(tx, rows, memoryRows);
}
