import { binaryArray, typeNumbers } from '../../src/base/binary-array.js';
import type { Transaction } from '../../src/database/database.js';
import { memoryRows } from '../memory/rows.js';
import { mergedEntries } from './blocks.js';
import { postingWidth } from './buckets.js';
import { countingAdded } from './counts.js';
import { whoOf } from './facts.js';
import { addDocuments, type SearchDocument } from './index.js';
import { type Block, codeBlocks, listed, postingBlocks } from './rebuild-blocks.js';
import { type Encoded, encodedDocuments } from './rebuild-document.js';
import { createLexicon, type Lexicon, type Read } from './rebuild-words.js';

/**
 * Adds many documents at once. It stores the same as `addDocuments`, where the database makes each row. Here this process makes them:
 * the words of a document, its postings and its codes, of which whole blocks are written, each once. They go to the database in its
 * own binary form.
 */
export interface Rebuilding {
  /** Makes the rows of small documents: see `isLarge`. */
  encode(read: Read, documents: readonly SearchDocument[]): Promise<readonly Encoded[]>;
  /** Writes them. A document whose memory was deleted meanwhile is left out, and one that is in the index already is replaced. */
  write(tx: Transaction, documents: readonly Encoded[]): Promise<void>;
}

export function createRebuilding(lexicon: Lexicon = createLexicon()): Rebuilding {
  let typeOfVector: number | undefined;
  return {
    async encode(read, documents) {
      typeOfVector ??= await read(readTypeOfVector);
      return encodedDocuments(lexicon, read, documents);
    },
    async write(tx, documents) {
      if (documents.length === 0 || typeOfVector === undefined) return;
      const seqs = await insertDocuments(tx, documents);
      const added = documents.flatMap((one): Added[] => {
        const seq = seqs.get(one.document.memoryId);
        return seq === undefined ? [] : [{ ...one, seq }];
      });
      const others = documents.map(({ document }) => document).filter(({ memoryId }) => !seqs.has(memoryId));
      const all = added.map((one) => listed(one, one.seq));
      // The statements are sent together, so that the database does not wait for this process between them.
      await Promise.all([
        countDocuments(tx, added),
        insertTexts(tx, added),
        insertPostings(tx, postingBlocks(all)),
        insertVectors(tx, added, typeOfVector),
        ...[...codeBlocks(all)].map(([width, blocks]) => insertCodes(tx, blocks, width)),
        addDocuments(tx, others),
      ]);
    },
  };
}

/** The type comes with an extension, so it has another number in each database. */
async function readTypeOfVector(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ type: number }>(`select 'vector'::regtype::oid::bigint as type`);
  if (!row) throw new Error('the database does not know the type of vectors');
  return row.type;
}

interface Added extends Encoded {
  readonly seq: number;
}

/** @returns the numbers of the memories that were added: those that exist and were not in the index */
async function insertDocuments(tx: Transaction, encodedOnes: readonly Encoded[]): Promise<Map<string, number>> {
  const documents = encodedOnes.map(({ document }) => document);
  const rows = await tx.query<{ id: string; seq: number }>(
    `insert into search_documents (memory_id, namespace_id, seq, length, asks, says_when, who, model)
     select m.id, d.namespace_id, m.seq, d.length, d.asks, d.says_when, ${whoOf('d.speaker', 'd.namespace_id')}, d.model
       from unnest($1::uuid[], $2::uuid[], $3::text[], $4::integer[], $5::boolean[], $6::boolean[], $7::text[])
              d(id, namespace_id, model, length, asks, says_when, speaker) join ${memoryRows} m on m.id = d.id
     on conflict do nothing returning memory_id::text as id, seq`,
    [
      listOf(documents.map(({ memoryId }) => memoryId)),
      listOf(documents.map(({ namespaceId }) => namespaceId)),
      documents.map(({ model }) => model),
      listOf(encodedOnes.map(({ length }) => length)),
      listOf(documents.map(({ facts }) => facts.asks)),
      listOf(documents.map(({ facts }) => facts.saysWhen)),
      documents.map(({ facts }) => facts.speaker),
    ],
  );
  return new Map(rows.map(({ id, seq }) => [id, seq]));
}

/** From here to the end of the transaction this is the only writer of these namespaces: their rows are locked, in the order of ids. */
function countDocuments(tx: Transaction, added: readonly Added[]) {
  return tx.query(
    `with ${countingAdded('unnest($1::uuid[], $2::bigint[], $3::bigint[]) d(namespace_id, length, seq)')}`,
    [
      listOf(added.map(({ document }) => document.namespaceId)),
      listOf(added.map(({ length }) => length)),
      listOf(added.map(({ seq }) => seq)),
    ],
  );
}

function insertTexts(tx: Transaction, added: readonly Added[]) {
  const rows = added.flatMap(({ document, parts }) =>
    parts.map((words, part) => ({ memoryId: document.memoryId, part, words })),
  );
  return tx.query(
    `insert into search_texts (memory_id, part, words) select * from unnest($1::uuid[], $2::integer[], $3::tsvector[])
     on conflict do nothing`,
    [
      listOf(rows.map(({ memoryId }) => memoryId)),
      listOf(rows.map(({ part }) => part)),
      binaryArray(
        typeNumbers.tsvector,
        rows.map(({ words }) => words),
      ),
    ],
  );
}

const insertPostings = (tx: Transaction, blocks: readonly Block[]) =>
  tx.query(
    `insert into search_postings as p (bucket, block, entries) select * from unnest($1::bigint[], $2::bigint[], $3::bytea[])
     on conflict (bucket, block) do update set entries = ${mergedEntries('p.entries', 'excluded.entries', postingWidth)}`,
    columnsOf(blocks),
  );

const insertCodes = (tx: Transaction, blocks: readonly Block[], width: number) =>
  tx.query(
    `insert into search_codes as p (space, block, entries) select * from unnest($1::bigint[], $2::bigint[], $3::bytea[])
     on conflict (space, block) do update set entries = ${mergedEntries('p.entries', 'excluded.entries', width)}`,
    columnsOf(blocks),
  );

/** Values that need no quotes, as the text of an array: the driver would look at each for characters to escape. */
const listOf = (values: readonly (string | number | boolean)[]): string => `{${values.join()}}`;

const columnsOf = (blocks: readonly Block[]) => [
  listOf(blocks.map(({ key }) => key)),
  listOf(blocks.map(({ block }) => block)),
  binaryArray(
    typeNumbers.bytea,
    blocks.map(({ entries }) => entries),
  ),
];

function insertVectors(tx: Transaction, added: readonly Added[], typeOfVector: number) {
  const rows = added.flatMap(({ document, seq, vectors }) =>
    vectors.map((vector) => ({ ...vector, seq, memoryId: document.memoryId })),
  );
  return tx.query(
    `insert into search_vectors (space, seq, ordinal, memory_id, embedding)
     select * from unnest($1::bigint[], $2::bigint[], $3::integer[], $4::uuid[], $5::vector[])`,
    [
      listOf(rows.map(({ space }) => space)),
      listOf(rows.map(({ seq }) => seq)),
      listOf(rows.map(({ ordinal }) => ordinal)),
      listOf(rows.map(({ memoryId }) => memoryId)),
      binaryArray(
        typeOfVector,
        rows.map(({ bytes }) => bytes),
      ),
    ],
  );
}
