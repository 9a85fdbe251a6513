import { binaryArray, typeNumbers } from '../../src/base/binary-array.js';
import type { Row, Transaction } from '../../src/database/database.js';
import { memoryRows } from '../memory/rows.js';
import { mergedEntries, postingBits } from './blocks.js';
import { postingWidth } from './buckets.js';
import { countingAdded, type Where } from './counts.js';
import { type Encoded, spaceKey } from './encoded.js';
import { whoOf } from './facts.js';
import { type Block, codeBlocks, type Numbered, postingBlocks } from './new-blocks.js';
import { documentsPerSeal } from './recent.js';
import { componentParams, vectorAt } from './vector-index.js';

/** A document with the number of its memory. */
export interface Placed extends Encoded {
  readonly seq: number;
}

/** A document that was added. */
interface Added extends Row {
  readonly id: string;
  readonly seq: number;
  readonly namespaceId: string;
  /** The number before which its namespace must be sealed; null if it is not yet time. */
  readonly sealBefore: number | null;
}

/**
 * Adds documents that are not in the index yet, their words, and their numbers in the counts of the namespaces. A document whose memory
 * has gone is left out. From here to the end of the transaction this is the only writer of these namespaces: their rows are locked, in
 * the order of ids, so that of two writers of which one may make the first row, one comes after the other.
 * @param where the caller adds their lists
 */
export function insertDocuments(tx: Transaction, documents: readonly Encoded[], where: Where): Promise<Added[]> {
  const parts = documents.flatMap(({ memoryId, parts: own }) => own.map((words, part) => ({ memoryId, part, words })));
  return tx.query<Added>(
    `with documents as (
       insert into search_documents (memory_id, namespace_id, seq, length, asks, says_when, who, model)
       select m.id, d.namespace_id, m.seq, d.length, d.asks, d.says_when, ${whoOf('d.speaker', 'd.namespace_id')}, d.model
         from unnest((select $1::uuid[]), (select $2::uuid[]), (select $3::text[]), (select $4::integer[]), (select $5::boolean[]),
                     (select $6::boolean[]), (select $7::text[]))
                d(id, namespace_id, model, length, asks, says_when, speaker) join ${memoryRows} m on m.id = d.id
       on conflict do nothing returning memory_id, namespace_id, seq, length),
     texts as (
       insert into search_texts (memory_id, part, words)
       select p.id, p.part, p.words
         from unnest((select $8::uuid[]), (select $9::integer[]), (select $10::tsvector[])) p(id, part, words)
         join documents d on d.memory_id = p.id),
     ${countingAdded('documents', where)}
     select memory_id::text as id, seq, namespace_id::text as "namespaceId",
            case when c.documents / ${documentsPerSeal} > (c.documents - a.documents) / ${documentsPerSeal}
                  and a.newest >> ${postingBits} > (c.sealed + 1) >> ${postingBits}
                 then (a.newest >> ${postingBits}) << ${postingBits} end as "sealBefore"
       from documents join counted c using (namespace_id) join added a using (namespace_id)`,
    [
      listOf(documents.map(({ memoryId }) => memoryId)),
      listOf(documents.map(({ namespaceId }) => namespaceId)),
      documents.map(({ model }) => model),
      listOf(documents.map(({ length }) => length)),
      listOf(documents.map(({ facts }) => facts.asks)),
      listOf(documents.map(({ facts }) => facts.saysWhen)),
      documents.map(({ facts }) => facts.speaker),
      listOf(parts.map(({ memoryId }) => memoryId)),
      listOf(parts.map(({ part }) => part)),
      binaryArray(
        typeNumbers.tsvector,
        parts.map(({ words }) => words),
      ),
    ],
  );
}

/** Adds documents to the blocks by which searches find them. The caller holds the locks of their namespaces. */
export async function insertBlocks(tx: Transaction, documents: readonly Numbered[]): Promise<void> {
  await Promise.all([
    insertPostings(tx, postingBlocks(documents)),
    ...[...codeBlocks(documents)].map(([width, blocks]) => insertCodes(tx, blocks, width)),
  ]);
}

const insertPostings = (tx: Transaction, blocks: readonly Block[]) =>
  tx.write(
    `insert into search_postings as p (bucket, block, entries)
     select * from unnest((select $1::bigint[]), (select $2::bigint[]), (select $3::bytea[]))
     on conflict (bucket, block) do update set entries = ${mergedEntries('p.entries', 'excluded.entries', postingWidth)}`,
    columnsOf(blocks),
  );

const insertCodes = (tx: Transaction, blocks: readonly Block[], width: number) =>
  tx.write(
    `insert into search_codes as p (space, block, entries)
     select * from unnest((select $1::bigint[]), (select $2::bigint[]), (select $3::bytea[]))
     on conflict (space, block) do update set entries = ${mergedEntries('p.entries', 'excluded.entries', width)}`,
    columnsOf(blocks),
  );

const columnsOf = (blocks: readonly Block[]) => [
  listOf(blocks.map(({ key }) => key)),
  listOf(blocks.map(({ block }) => block)),
  binaryArray(
    typeNumbers.bytea,
    blocks.map(({ entries }) => entries),
  ),
];

export async function insertVectors(tx: Transaction, documents: readonly Placed[]): Promise<void> {
  const rows = documents.flatMap(({ memoryId, namespaceId, seq, vectors }) =>
    vectors.map((vector) => ({ ...vector, memoryId, seq, space: spaceKey(namespaceId, vector.key) })),
  );
  if (rows.length === 0) return;
  await tx.write(
    `insert into search_vectors (space, seq, ordinal, memory_id, embedding)
     select v.space, v.seq, v.ordinal, v.memory_id, ${vectorAt('$5', 'v')}
       from unnest((select $1::bigint[]), (select $2::bigint[]), (select $3::integer[]), (select $4::uuid[]), (select $6::integer[]),
                   (select $7::integer[])) v(space, seq, ordinal, memory_id, first, last)`,
    [
      listOf(rows.map(({ space }) => space)),
      listOf(rows.map(({ seq }) => seq)),
      listOf(rows.map(({ ordinal }) => ordinal)),
      listOf(rows.map(({ memoryId }) => memoryId)),
      ...componentParams(rows),
    ],
  );
}

/** Values that need no quotes, as the text of an array: the driver would look at each for characters to escape. */
const listOf = (values: readonly (string | number | boolean)[]): string => `{${values.join()}}`;
