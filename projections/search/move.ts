import { createHash } from 'node:crypto';
import type { Row, Transaction } from '../../src/adapters/database/database.js';
import { segmentWords } from '../../src/domain/words.js';
import { spaceOf } from './blocks.js';
import { addDocuments, removeDocuments, type SearchDocument } from './index.js';
import { unfinishedDocuments } from './steps.js';

interface MovedRow extends Row {
  id: string;
  namespace_id: string;
  text_config: string;
  content: string;
  content_hash: string;
  model: string;
}

interface VectorRow extends Row {
  memory_id: string;
  ordinal: number;
  embedding: string;
}

/**
 * Indexes memories again in the namespace they are in now, which may stem words in another way. Their vectors are those that
 * they have: nobody is asked to embed them again. What is not in the index yet gets there by its job. A text that is not
 * the one that was written leaves the index.
 */
export async function moveDocuments(tx: Transaction, memoryIds: readonly string[]): Promise<void> {
  const begun = new Set(await unfinishedDocuments(tx));
  await removeDocuments(
    tx,
    memoryIds.filter((id) => begun.has(id)),
  );
  const rows = await tx.query<MovedRow>(
    `select d.memory_id::text as id, m.namespace_id::text, n.text_config, v.content, m.content_hash, d.model
       from search_documents d join memories m on m.id = d.memory_id and m.namespace_id <> d.namespace_id
       join namespaces n on n.id = m.namespace_id join vault v on v.receipt_id = m.receipt_id
      where d.memory_id = any($1::uuid[]) order by d.memory_id`,
    [memoryIds],
  );
  const vectors = await tx.query<VectorRow>(
    `select v.memory_id::text, v.ordinal, v.embedding::text from search_vectors v join search_documents d using (memory_id)
      where v.memory_id = any($1::uuid[])
        and v.space = ${spaceOf("(vector_dims(v.embedding) || ' ' || d.model)", 'd.namespace_id')}
      order by 1, 2`,
    [rows.map((row) => row.id)],
  );
  const altered = rows.filter((row) => hashOf(row.content) !== row.content_hash);
  if (altered.length > 0) {
    await removeDocuments(
      tx,
      altered.map(({ id }) => id),
    );
  }
  await addDocuments(
    tx,
    rows.filter((row) => !altered.includes(row)).map((row) => moved(row, vectors)),
  );
}

const hashOf = (content: string): string => createHash('sha256').update(content, 'utf8').digest('hex');

function moved(row: MovedRow, vectors: readonly VectorRow[]): SearchDocument {
  return {
    memoryId: row.id,
    namespaceId: row.namespace_id,
    textConfig: row.text_config,
    text: segmentWords(row.content),
    model: row.model,
    chunks: vectors
      .filter(({ memory_id }) => memory_id === row.id)
      .map(({ ordinal, embedding }) => ({ ordinal, vector: Float32Array.from(JSON.parse(embedding)) })),
  };
}
