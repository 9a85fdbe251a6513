import type { Row } from '../../src/adapters/database/database.js';

/** A word of a query, with its statistics in one namespace. */
export interface Term extends Row {
  word: string;
  namespace_id: string;
  /** The normal form of the word in the text configuration of the namespace. */
  lexeme: string;
  /** ln(1 + (N − n + ½) / (n + ½)), Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009). */
  idf: number;
  /** The number of documents of the namespace that hold the word. */
  frequency: number;
  /** The number of documents of the namespace, and the number of words in all of them. */
  documents: number;
  length: number;
  /** The hash of the word in the index, the blocks that it has there, and the versions of their rows. */
  term: string;
  blocks: number[];
  versions: string[];
}

/** One block of one word, unpacked. `offsets[i]` is a document, `frequencies[i]` counts the word in it, `lengths[i]` is its length. */
export interface Postings {
  readonly offsets: Uint16Array;
  readonly frequencies: Uint16Array;
  readonly lengths: Uint32Array;
}

/**
 * The memories that are known to fail a filter, by their numbers. A memory that fails continues to fail, because the fields
 * that filters use never change. Nothing is known about memories that were written or moved here later.
 */
export interface Failing {
  bits: Uint32Array;
  /** The number of look-ups of memories that did not pass, since all memories were compared. */
  wasted: number;
}
