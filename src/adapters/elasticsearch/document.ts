import type { SearchFields } from './mapping.js';

/** A memory that is sent to Elasticsearch, as the database holds it at that moment. */
export interface IndexedMemory {
  readonly memoryId: string;
  readonly workspaceId: string;
  readonly namespaceId: string;
  readonly agentId: string | null;
  readonly source: string | null;
  readonly createdAt: Date;
  /** The number of the entry that wrote it. */
  readonly seq: number;
  /** Its words in their normal form and in their order. */
  readonly words: string;
  /** The vectors of its chunks; none if they are not of the model of the index. */
  readonly chunks: readonly { readonly ordinal: number; readonly vector: readonly number[] }[];
}

export const documentId = (memoryId: string, chunk: number): string => `${memoryId}:${chunk}`;

/** The memory of a document, and its chunk. */
export function readDocumentId(id: string): { readonly memoryId: string; readonly chunk: number } {
  const [memoryId = '', chunk = '0'] = id.split(':');
  return { memoryId, chunk: Number(chunk) };
}

/** The bits of a version that hold the generation of the vectors. */
const generationBits = 16;

/**
 * The version of all documents of a memory. A later entry has a larger one than any generation of an earlier one.
 * @param seq of the last entry about the memory
 * @param generation of the vectors: the number of the model among those that the store has had; 0 without vectors
 */
export const documentVersionOf = (seq: number, generation: number): number =>
  seq * 2 ** generationBits + (generation % 2 ** generationBits);

/** The complete documents of a memory, chunk 0 first. A chunk without a vector has no document, except chunk 0. */
export function documentsOf(memory: IndexedMemory): SearchFields[] {
  const { memoryId, workspaceId, namespaceId, agentId, source, createdAt, seq, words, chunks } = memory;
  const common = {
    workspace: workspaceId,
    namespace: namespaceId,
    memory: memoryId,
    ...(agentId === null ? {} : { agent: agentId }),
    ...(source === null ? {} : { source }),
    time: createdAt.getTime(),
    seq,
  };
  const vectors = new Map(chunks.map(({ ordinal, vector }) => [ordinal, vector]));
  const ordinals = [...new Set([0, ...vectors.keys()])].sort((a, b) => a - b);
  return ordinals.map((chunk) => {
    const vector = vectors.get(chunk);
    return { ...common, chunk, ...(chunk === 0 ? { words } : {}), ...(vector === undefined ? {} : { vector }) };
  });
}
