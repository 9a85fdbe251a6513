import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { SearchDocument } from '../../projections/search/index.js';
import type { Embedder } from '../adapters/embeddings/embedder.js';
import { type Prepare, type Prepared, preparedText } from '../domain/prepared.js';

/** A memory as it goes into the search index. */
export interface Indexable {
  readonly memoryId: string;
  readonly namespaceId: string;
  readonly textConfig: string;
  readonly content: string;
}

/** How long texts are prepared here before other work may run. */
const sliceMs = 8;

/** Prepares texts where it is called, for those who have no thread at hand. */
export function prepareInSlices(): Prepare {
  let since = performance.now();
  return async (content) => {
    if (performance.now() - since > sliceMs) {
      await yieldToOthers();
      since = performance.now();
    }
    return preparedText(content);
  };
}

/** Memories cut into chunks, with the vector of each chunk and the words of the whole. */
export async function searchDocuments(
  memories: readonly Indexable[],
  embedder: Embedder,
  prepare: Prepare = prepareInSlices(),
): Promise<SearchDocument[]> {
  const cut: (Prepared & { readonly memory: Indexable })[] = [];
  for (const memory of memories) cut.push({ memory, ...(await prepare(memory.content)) });
  const vectors = await embedder.documents(cut.flatMap(({ chunks }) => chunks.map((one) => one.text)));
  let next = 0;
  return cut.map(({ memory: { memoryId, namespaceId, textConfig }, text, chunks }) => ({
    memoryId,
    namespaceId,
    textConfig,
    text,
    model: embedder.model,
    chunks: chunks.map(({ ordinal }) => ({ ordinal, vector: vectors[next++] ?? new Float32Array() })),
  }));
}
