import { createHash } from 'node:crypto';
import { yieldToOthers } from '../../src/base/steps.js';
import type { Row, Transaction } from '../../src/database/database.js';
import { movedAtOnceBytes } from '../../src/domain/pipeline.js';
import { factsOf } from '../../src/domain/rank/facts.js';
import { indexedParts } from '../../src/domain/tokens/indexed.js';
import { vaultRows } from '../../src/ledger/rows.js';
import { memoryRows } from '../memory/rows.js';
import { namespaceRows } from '../namespace/rows.js';
import { spaceOf } from './blocks.js';
import type { SearchDocument } from './document.js';
import { addDocuments, hideDocuments, removeDocuments } from './index.js';
import { unfinished } from './step.js';
import { removeCodes } from './vector-index.js';

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
 * Indexes memories again in the namespace that they are in now, which may stem words in another way. They keep their vectors,
 * so they are not embedded again. A memory whose text is not the one that was written is removed from the index. A memory that
 * is not in the index yet is added by its job. So is a longer text, which would take too long for this transaction: it is
 * hidden here, and its job, which was queued again, also removes what it has in the old namespace.
 */
export async function moveDocuments(tx: Transaction, memoryIds: readonly string[]): Promise<void> {
  await hideLong(tx, memoryIds);
  const rows = await tx.query<MovedRow>(
    `select d.memory_id::text as id, m.namespace_id::text, n.text_config, v.content, m.content_hash, d.model
       from search_documents d join ${memoryRows} m on m.id = d.memory_id and m.namespace_id <> d.namespace_id
       join ${namespaceRows} n on n.id = m.namespace_id join ${vaultRows} v on v.receipt_id = m.receipt_id
      where d.memory_id = any($1::uuid[]) and d.model <> $2 order by d.memory_id`,
    [memoryIds, unfinished],
  );
  const ids = rows.map((row) => row.id);
  const vectors = await tx.query<VectorRow>(
    `select v.memory_id::text, v.ordinal, v.embedding::text from search_vectors v join search_documents d using (memory_id)
      where v.memory_id = any($1::uuid[])
        and v.space = ${spaceOf("(vector_dims(v.embedding) || ' ' || d.model)", 'd.namespace_id')}
      order by 1, 2`,
    [ids],
  );
  await removeDocuments(tx, ids);
  const documents: SearchDocument[] = [];
  for (const row of rows.filter((one) => hashOf(one.content) === one.content_hash)) {
    documents.push(moved(row, vectors));
    // The words of one text take up to 10 ms. Then other requests are served before the next text.
    await yieldToOthers();
  }
  await addDocuments(tx, documents);
}

async function hideLong(tx: Transaction, memoryIds: readonly string[]): Promise<void> {
  const long = await tx.query<{ id: string }>(
    `select d.memory_id::text as id
       from search_documents d join ${memoryRows} m on m.id = d.memory_id and m.namespace_id <> d.namespace_id
      where d.memory_id = any($1::uuid[]) and m.size > $2 and d.model <> $3`,
    [memoryIds, movedAtOnceBytes, unfinished],
  );
  const ids = long.map((row) => row.id);
  if (ids.length === 0) return;
  await hideDocuments(tx, ids);
  await removeCodes(tx, ids);
}

const hashOf = (content: string): string => createHash('sha256').update(content, 'utf8').digest('hex');

function moved(row: MovedRow, vectors: readonly VectorRow[]): SearchDocument {
  return {
    memoryId: row.id,
    namespaceId: row.namespace_id,
    textConfig: row.text_config,
    parts: indexedParts(row.content),
    facts: factsOf(row.content),
    model: row.model,
    chunks: vectors
      .filter(({ memory_id }) => memory_id === row.id)
      .map(({ ordinal, embedding }) => ({ ordinal, vector: Float32Array.from(JSON.parse(embedding)) })),
  };
}
