import type { IndexableText } from '../../contracts/entries/indexable.js';
import { indexableText } from '../../projections/search/at-write.js';
import { isLarge } from '../../projections/search/document.js';
import type { Embedder } from '../adapters/embeddings/embedder.js';
import { isLong } from '../domain/pipeline.js';
import type { Prepare } from '../domain/prepared.js';
import type { Surroundings } from './loop.js';

/** @returns what the search index has of a text; null where a job indexes it */
export type ForIndex = (content: string) => Promise<IndexableText | null>;

interface ForIndexParts {
  readonly embedder: Embedder;
  readonly prepare: Prepare;
  readonly log: Pick<Surroundings['log'], 'warn' | 'info'>;
}

/** For an index or a ledger elsewhere: everything is indexed by jobs. */
export const neverForIndex: ForIndex = async () => null;

/**
 * Prepares short texts for the search index before their append, in about a millisecond for 500 bytes: the rule says which memories are
 * found from the moment of their answer. They are those of at most 4 KiB, unless they have more distinct words than the index takes in one
 * transaction, if the embedder works in this process and is quick. Writers wait for this, so no server is asked.
 *
 * A text that cannot be prepared is left to its job, which fails and is retried where people see it. The reason is logged when it begins,
 * without anything of the text.
 */
export function createForIndex({ embedder, prepare, log }: ForIndexParts): ForIndex {
  if (!embedder.isQuick) return neverForIndex;
  let fault: string | null = null;

  async function prepared(content: string): Promise<IndexableText | null> {
    const { parts, chunks, facts } = await prepare(content);
    if (isLarge({ parts })) return null;
    const vectors = await embedder.documents(chunks.map(({ text }) => text));
    const embedded = chunks.flatMap(({ ordinal }, i) => {
      const vector = vectors[i];
      return vector ? [{ ordinal, vector }] : [];
    });
    return indexableText({ model: embedder.model, parts, facts, chunks: embedded });
  }

  return async (content) => {
    if (isLong(Buffer.byteLength(content))) return null;
    try {
      const text = await prepared(content);
      if (fault !== null) log.info({ fault }, 'memories are indexed with their writes again');
      fault = null;
      return text;
    } catch (error) {
      if (fault !== String(error)) log.warn({ err: error }, 'a memory is not indexed with its write, but by its job');
      fault = String(error);
      return null;
    }
  };
}
