import { type Chunk, chunk } from './chunking.js';
import { segmentWords } from './words.js';

/** What the search index needs of a text: words parted by spaces, and chunks that get a vector each. */
export interface Prepared {
  readonly text: string;
  readonly chunks: readonly Chunk[];
}

/** A MiB takes from 0.1 to 7 s, so long texts are prepared in a thread. */
export type Prepare = (content: string) => Promise<Prepared>;

export const preparedText = (content: string): Prepared => ({ text: segmentWords(content), chunks: chunk(content) });
