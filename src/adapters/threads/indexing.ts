import { type Prepare, preparedText } from '../../domain/prepared.js';
import type { Embedder } from '../embeddings/embedder.js';
import { lexicalEmbedder } from '../embeddings/lexical.js';
import { hereOrThread, openThreads } from './threads.js';

/**
 * Texts up to this number of code units are prepared on the main thread. The worst ones take 10 ms, and most of them 1 ms.
 */
const smallText = 4096;
/** The same for all texts of a list together, such as the chunks of many short memories, which take 0.2 ms each. */
const smallList = 65_536;
/**
 * Texts that are longer share one thread and all others the other one, because a text of a MiB may take 7 s. The workers that ask
 * take the workspaces one after the other and ask for one text at a time, so only the lengths matter here.
 */
const longText = 65_536;
/** The largest number of chunks in one message to the thread, so that messages stay small. */
const chunksAtOnce = 64;
/** More than one batch of the ingest pipeline contains. */
const heldBytes = 256 * 1024 * 1024;
/** For one text: eight times the time of the slowest one on a busy machine. */
const deadlineMs = 60_000;

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0);

const bytesOf = (text: string): number => 2 * text.length;

const ownerOf = (bytes: number): string => (bytes > 2 * longText ? 'long texts' : 'texts');

export interface Indexing {
  readonly prepare: Prepare;
  /** The built-in embedder. Long lists of texts are embedded in the thread. */
  readonly embedder: Embedder;
  close(): Promise<void>;
}

/** Prepares short texts immediately, and long ones in threads, which the first of them starts. */
export function openIndexing(): Indexing {
  const threads = openThreads({ threads: 2, heldBytes, own: { atOnce: 1 }, deadlineMs });
  const lexical = lexicalEmbedder();
  const prepare = hereOrThread(threads, 'prepareText', { small: 2 * smallText, sizeOf: bytesOf, here: preparedText });
  function vectors(chunks: readonly string[]): Promise<Float32Array[]> {
    const bytes = 2 * lengthOf(chunks);
    return threads.run({ owner: ownerOf(bytes), bytes }, 'embedChunks', chunks);
  }
  return {
    prepare: (content) => prepare(ownerOf(bytesOf(content)), content),
    embedder: {
      ...lexical,
      async documents(texts) {
        if (lengthOf(texts) <= smallList) return lexical.documents(texts);
        const all: Float32Array[] = [];
        for (let from = 0; from < texts.length; from += chunksAtOnce) {
          all.push(...(await vectors(texts.slice(from, from + chunksAtOnce))));
        }
        return all;
      },
    },
    close: threads.close,
  };
}
