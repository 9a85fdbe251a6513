import { type Chunk, chunk } from './chunking.js';
import { indexedText } from './search-text.js';

/** A text as the search index needs it: words separated by spaces, and chunks that get a vector each. */
export interface Prepared {
  readonly text: string;
  readonly chunks: readonly Chunk[];
}

/** Preparing a MiB takes from 0.1 to 7 s. That is why long texts are prepared in a thread. */
export type Prepare = (content: string) => Promise<Prepared>;

export const preparedText = (content: string): Prepared => ({ text: indexedText(content), chunks: chunk(content) });
