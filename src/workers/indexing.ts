import { setImmediate as turn } from 'node:timers/promises';
import type { SearchDocument } from '../../projections/search/index.js';
import type { Embedder } from '../adapters/embeddings/embedder.js';
import { chunk } from '../domain/chunking.js';
import { segmentWords } from '../domain/words.js';

/** A memory as it goes into the search index. */
export interface Indexable {
  readonly memoryId: string;
  readonly namespaceId: string;
  readonly textConfig: string;
  readonly content: string;
}

/** Characters worked on before others get their turn: 64k take about 10 ms to cut into chunks and words. */
const turnCharacters = 65_536;

/** Memories cut into chunks, with the vector of each chunk and the words of the whole. */
export async function searchDocuments(memories: readonly Indexable[], embedder: Embedder): Promise<SearchDocument[]> {
  const cut: { memory: Indexable; text: string; chunks: ReturnType<typeof chunk> }[] = [];
  let characters = 0;
  for (const memory of memories) {
    cut.push({ memory, text: segmentWords(memory.content), chunks: chunk(memory.content) });
    characters += memory.content.length;
    if (characters >= turnCharacters) {
      characters = 0;
      await turn();
    }
  }
  const vectors = await embedder.documents(cut.flatMap(({ chunks }) => chunks.map((one) => one.text)));
  let next = 0;
  return cut.map(({ memory: { memoryId, namespaceId, textConfig }, text, chunks }) => ({
    ...{ memoryId, namespaceId, textConfig, text },
    model: embedder.model,
    chunks: chunks.map(({ ordinal }) => ({ ordinal, vector: vectors[next++] ?? new Float32Array() })),
  }));
}
