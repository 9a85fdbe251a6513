/** A memory that is sent to Elasticsearch, as the database holds it at that moment. */
interface IndexedMemory {
  readonly memoryId: string;
  readonly workspaceId: string;
  readonly namespaceId: string;
  readonly agentId: string | null;
  readonly source: string | null;
  /** When it was written, in milliseconds since 1970. */
  readonly createdAt: number;
  /** The number of the entry that wrote it. */
  readonly seq: number;
  /** The terms of its words, separated by spaces. */
  readonly words: string;
  /** The levels of the codes of its chunks; none if their vectors are not of the model of the index. */
  readonly chunks: readonly { readonly ordinal: number; readonly levels: Int8Array }[];
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

/** The seq in a version. */
export const seqOfVersion = (version: number): number => Math.floor(version / 2 ** generationBits);

/** A document as JSON text. */
export interface Document {
  readonly memoryId: string;
  readonly chunk: number;
  readonly json: string;
}

/**
 * The complete documents of a memory, chunk 0 first. A chunk without a vector has no document, except chunk 0. The cluster refuses
 * vectors of zeros, which only codes of more than 2,048 components can be. The fields are `SearchFields` of the mapping.
 */
export function documentsOf(memory: IndexedMemory): Document[] {
  const { memoryId, workspaceId, namespaceId, agentId, source, createdAt, seq, words, chunks } = memory;
  const common = JSON.stringify({
    workspace: workspaceId,
    namespace: namespaceId,
    memory: memoryId,
    agent: agentId ?? undefined,
    source: source ?? undefined,
    time: createdAt,
    seq,
  }).slice(0, -1);
  const byChunk = new Map(
    chunks.filter(({ levels }) => levels.some((level) => level !== 0)).map(({ ordinal, levels }) => [ordinal, levels]),
  );
  return [...new Set([0, ...byChunk.keys()])]
    .sort((a, b) => a - b)
    .map((chunk) => {
      const levels = byChunk.get(chunk);
      const text = chunk === 0 ? `,"words":${JSON.stringify(words)}` : '';
      const vector = levels ? `,"vector":[${levels.join()}]` : '';
      return { memoryId, chunk, json: `${common},"chunk":${chunk}${text}${vector}}` };
    });
}
