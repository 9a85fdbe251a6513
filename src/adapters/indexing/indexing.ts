import { builtFile } from '../../base/package-root.js';
import { type Prepare, type Prepared, preparedText } from '../../domain/prepared.js';
import type { Embedder } from '../embeddings/embedder.js';
import { lexicalEmbedder } from '../embeddings/lexical.js';
import { openThreads } from '../threads.js';
import type { IndexingTask } from './thread.js';

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
const idleMs = 30_000;
/** For one text: eight times the time of the slowest one on a busy machine. */
const deadlineMs = 60_000;

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0);

const taskOf = (bytes: number) => ({ owner: bytes > 2 * longText ? 'long texts' : 'texts', bytes });

export interface Indexing {
  readonly prepare: Prepare;
  /** The built-in embedder. Long lists of texts are embedded in the thread. */
  readonly embedder: Embedder;
  close(): Promise<void>;
}

/** Prepares short texts immediately, and long ones in threads, which the first of them starts. */
export function openIndexing(): Indexing {
  const threads = openThreads<IndexingTask, Prepared | Float32Array[]>({
    file: builtFile('adapters/indexing/thread.js'),
    threads: 2,
    heldBytes,
    own: { atOnce: 1 },
    idleMs,
    deadlineMs,
  });
  const lexical = lexicalEmbedder();
  async function vectors(chunks: readonly string[]): Promise<Float32Array[]> {
    const answer = await threads.run(taskOf(2 * lengthOf(chunks)), { chunks });
    if (!Array.isArray(answer)) throw new Error('the indexing thread gave no vectors');
    return answer;
  }
  return {
    async prepare(content) {
      if (content.length <= smallText) return preparedText(content);
      const answer = await threads.run(taskOf(2 * content.length), { content });
      if (Array.isArray(answer)) throw new Error('the indexing thread prepared nothing');
      return answer;
    },
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
