import type { Transaction } from '../../src/adapters/database/database.js';

/** A memory as the search read model takes it in. */
export interface SearchDocument {
  readonly memoryId: string;
  readonly namespaceId: string;
  /** A PostgreSQL text configuration: which words are stopped and how the rest are stemmed. */
  readonly textConfig: string;
  /** With spaces between the words of scripts that have none. */
  readonly text: string;
  readonly model: string;
  readonly chunks: readonly { readonly ordinal: number; readonly vector: Float32Array }[];
}

/** Adds documents, replacing what the read model holds of them. */
export async function addDocuments(tx: Transaction, documents: readonly SearchDocument[]): Promise<void> {
  if (documents.length === 0) return;
  const ids = documents.map((document) => document.memoryId);
  await removeDocuments(tx, ids);
  await tx.query(
    `insert into search_texts
     select id, namespace_id, coalesce((select sum(cardinality(positions)) from unnest(words)), 0), words
       from (select id, namespace_id, to_tsvector(config::regconfig, body) as words
               from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) as d(id, namespace_id, config, body)) d`,
    [ids, documents.map((d) => d.namespaceId), documents.map((d) => d.textConfig), documents.map((d) => d.text)],
  );
  await tx.query(
    `insert into search_postings
     select t.namespace_id, w.lexeme, t.memory_id, cardinality(w.positions), t.length
       from search_texts t cross join lateral unnest(t.words) w where t.memory_id = any($1::uuid[])`,
    [ids],
  );
  await count(tx, ids, 1);
  const chunks = documents.flatMap((d) => d.chunks.map((chunk) => ({ ...chunk, document: d })));
  await tx.query(
    `insert into search_vectors
     select * from unnest($1::uuid[], $2::int[], $3::uuid[], $4::text[], $5::text[]::vector[])`,
    [
      chunks.map((chunk) => chunk.document.memoryId),
      chunks.map((chunk) => chunk.ordinal),
      chunks.map((chunk) => chunk.document.namespaceId),
      chunks.map((chunk) => chunk.document.model),
      chunks.map((chunk) => vectorText(chunk.vector)),
    ],
  );
}

/** Removes what the read model holds of these memories; statistics go back to what they were without them. */
export async function removeDocuments(tx: Transaction, memoryIds: readonly string[]): Promise<void> {
  const held = await tx.query<{ memory_id: string }>(
    'select memory_id::text from search_texts where memory_id = any($1::uuid[])',
    [memoryIds],
  );
  if (held.length === 0) return;
  const ids = held.map((row) => row.memory_id);
  await count(tx, ids, -1);
  await tx.query(
    `delete from search_postings p using search_texts t cross join lateral unnest(t.words) w
      where t.memory_id = any($1::uuid[]) and p.namespace_id = t.namespace_id and p.lexeme = w.lexeme
        and p.memory_id = t.memory_id`,
    [ids],
  );
  await tx.query('delete from search_vectors where memory_id = any($1::uuid[])', [ids]);
  await tx.query('delete from search_texts where memory_id = any($1::uuid[])', [ids]);
}

/** Adds the documents to the statistics, or takes them away. Rows that reach zero go: their lexeme would tell of them. */
async function count(tx: Transaction, ids: readonly string[], sign: 1 | -1): Promise<void> {
  // Ordered, so that two workers on one namespace lock the rows in the same order and never wait in a circle.
  await tx.query(
    `insert into search_namespaces as s
     select namespace_id, $2::int * count(*), $2::int * sum(length) from search_texts
      where memory_id = any($1::uuid[]) group by namespace_id order by namespace_id
     on conflict (namespace_id) do update
        set documents = s.documents + excluded.documents, total_length = s.total_length + excluded.total_length`,
    [ids, sign],
  );
  await tx.query(
    `insert into search_terms as s
     select t.namespace_id, w.lexeme, $2::int * count(*) from search_texts t cross join lateral unnest(t.words) w
      where t.memory_id = any($1::uuid[]) group by t.namespace_id, w.lexeme order by t.namespace_id, w.lexeme
     on conflict (namespace_id, lexeme) do update set documents = s.documents + excluded.documents`,
    [ids, sign],
  );
  if (sign === 1) return;
  await tx.query(
    `delete from search_terms s using search_texts t cross join lateral unnest(t.words) w
      where t.memory_id = any($1::uuid[]) and s.namespace_id = t.namespace_id and s.lexeme = w.lexeme and s.documents = 0`,
    [ids],
  );
  await tx.query('delete from search_namespaces where documents = 0');
}

/** Four digits are twice what a comparison of 256 dimensions can tell apart, and half the text to parse. */
export function vectorText(vector: Float32Array): string {
  return `[${Array.from(vector, (value) => (value === 0 ? '0' : value.toFixed(4))).join(',')}]`;
}
