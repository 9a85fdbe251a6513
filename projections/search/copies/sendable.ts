import { yieldToOthers } from '../../../src/base/steps.js';
import type { Row, Transaction } from '../../../src/database/database.js';
import { memoryRows } from '../../memory/rows.js';
import { spaceOf, termOf } from '../blocks.js';
import { levelsOf } from '../vector-index.js';
import type { StoredIndex } from './indices.js';

/** A memory that is ready, as the database holds it now. */
export interface Sendable extends Row {
  readonly memoryId: string;
  readonly workspaceId: string;
  readonly namespaceId: string;
  readonly agentId: string | null;
  readonly source: string | null;
  readonly createdAt: number;
  /** The number of the entry that wrote it. */
  readonly seq: number;
  /** The model of its vectors. */
  readonly model: string;
  /** Of its text and metadata, in bytes. */
  readonly size: number;
}

/**
 * Those of these memories that exist and are ready. Their texts were checked when the database indexed them.
 * @param lock with a lock, none of them is deleted before the transaction ends
 */
export function sendableMemories(
  tx: Transaction,
  memoryIds: readonly string[],
  lock: '' | 'for key share' = '',
): Promise<Sendable[]> {
  return tx.query<Sendable>(
    `select m.id::text as "memoryId", m.workspace_id::text as "workspaceId", m.namespace_id::text as "namespaceId",
            m.agent_id as "agentId", m.source, (extract(epoch from m.created_at) * 1000)::bigint as "createdAt", m.seq, d.model, m.size
       from unnest($1::uuid[]) t(id)
      cross join lateral (select * from ${memoryRows} where id = t.id ${lock}) m
       join search_documents d on d.memory_id = m.id and d.namespace_id = m.namespace_id and d.model <> ''
      order by m.id`,
    [memoryIds],
  );
}

/** The terms of each memory, separated by spaces: the hashes that stand for its words in its namespace, as often as they occur. */
export async function wordsOfMemories(tx: Transaction, memoryIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.query<{ id: string; words: string }>(
    `select memory_id::text as id,
            string_agg(repeat(${termOf('u.lexeme', 'd.namespace_id')} || ' ', cardinality(u.positions)), '') as words
       from search_documents d join search_texts s using (memory_id) cross join unnest(s.words) u
      where memory_id = any($1::uuid[]) group by 1`,
    [memoryIds],
  );
  return new Map(rows.map(({ id, words }) => [id, words]));
}

/** The levels of the code of a chunk's vector. */
interface ChunkLevels {
  readonly memoryId: string;
  readonly ordinal: number;
  readonly levels: Int8Array;
}

/** The number of vectors that are rounded before other requests are served. */
const roundedAtOnce = 64;

/** The levels of the vectors that these memories have of the model of the index. */
export async function levelsOfMemories(
  tx: Transaction,
  { model }: Pick<StoredIndex, 'model'>,
  memoryIds: readonly string[],
): Promise<ChunkLevels[]> {
  const rows = await tx.query<{ memoryId: string; ordinal: number; vector: string }>(
    `select v.memory_id::text as "memoryId", v.ordinal, encode(vector_send(v.embedding), 'base64') as vector
       from search_vectors v join search_documents d using (memory_id)
      where v.memory_id = any($1::uuid[]) and d.model = $2
        and v.space = ${spaceOf("(vector_dims(v.embedding) || ' ' || d.model)", 'd.namespace_id')}
      order by 1, 2`,
    [memoryIds, model],
  );
  const chunks: ChunkLevels[] = [];
  for (const [i, { memoryId, ordinal, vector }] of rows.entries()) {
    if (i % roundedAtOnce === roundedAtOnce - 1) await yieldToOthers();
    chunks.push({ memoryId, ordinal, levels: levelsOf(readVector(vector)) });
  }
  return chunks;
}

/** The binary form of pgvector: the number of components and an unused number, 16 bits each, then the components as float4. */
function readVector(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  return Float32Array.from({ length: bytes.readUInt16BE(0) }, (_, i) => bytes.readFloatBE(4 + 4 * i));
}
