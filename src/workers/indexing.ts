import type { SearchDocument } from '../../projections/search/document.js';
import { slices } from '../base/steps.js';
import { type Prepare, type Prepared, preparedText } from '../domain/prepared.js';
import type { Embed } from './embedding.js';

/** A memory as it goes into the search index. */
interface Indexable {
  readonly memoryId: string;
  readonly namespaceId: string;
  readonly textConfig: string;
  readonly content: string;
}

/** Prepares texts where it is called, for those who have no thread at hand. */
export function prepareInSlices(): Prepare {
  const next = slices();
  return async (content) => {
    await next();
    return preparedText(content);
  };
}

/** A memory that can be indexed, and the number of its chunks that the embedder refuses, which have no vectors. */
export interface Indexed extends SearchDocument {
  readonly refused: number;
}

/** Memories cut into chunks, with the vectors of the chunks if there are any yet, and the words of the whole. */
export async function searchDocuments(
  memories: readonly Indexable[],
  embed: Embed,
  prepare: Prepare = prepareInSlices(),
): Promise<Indexed[]> {
  const cut: (Prepared & { readonly memory: Indexable })[] = [];
  for (const memory of memories) cut.push({ memory, ...(await prepare(memory.content)) });
  const { model, vectors } = await embed(cut.flatMap(({ chunks }) => chunks.map((one) => one.text)));
  let next = 0;
  return cut.map(({ memory: { memoryId, namespaceId, textConfig }, parts, facts, chunks }) => {
    const own = vectors.slice(next, next + chunks.length);
    next += chunks.length;
    return {
      memoryId,
      namespaceId,
      textConfig,
      parts,
      facts,
      model,
      chunks: chunks.flatMap(({ ordinal }, i) => {
        const vector = own[i];
        return vector ? [{ ordinal, vector }] : [];
      }),
      refused: own.filter((vector) => vector === null).length,
    };
  });
}
