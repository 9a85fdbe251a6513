import type { Row } from '../../src/database/database.js';

/** A word of a query in one namespace. */
export interface Lexeme extends Row {
  word: string;
  namespace_id: string;
  /** The normal form of the word in the text configuration of the namespace. */
  lexeme: string;
  /** The number of documents of the namespace, and the number of words in all of them. */
  documents: number;
  length: number;
  /** The hash of the word in the index, and the bucket that holds its postings. */
  term: string;
  bucket: string;
}

/** A word of a query that is in the namespace, with its statistics. */
export interface Term extends Lexeme {
  /** ln(1 + (N − n + ½) / (n + ½)), Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009). */
  idf: number;
  /** The number of documents of the namespace that hold the word. */
  frequency: number;
  /** The blocks that hold the word, and the versions of their rows. */
  blocks: readonly number[];
  versions: readonly string[];
  /** The versions of the rows with the lengths of the documents of these blocks. */
  lengthVersions: readonly string[];
  /** From 0 to 1: how much it counts. 1 for a word as the query has it. */
  share: number;
}

/** The words of the documents of a block, without those that are never similar to others. */
export interface BlockWords {
  /** The version of the row that lists the documents of the block. */
  readonly version: string;
  /** The numbers of these documents. */
  readonly seqs: ReadonlySet<number>;
  /** Each word once, as the index has it, with its form without accents. */
  readonly words: ReadonlyMap<string, string>;
}

/**
 * The memories that are known to fail a filter, by their numbers. A memory that fails continues to fail, because the fields
 * that filters use never change, and the key of a filter changes when an invalidated memory is reinstated. Nothing is known about memories that were written or moved here later.
 */
export interface Failing {
  bits: Uint32Array;
  /** The number of look-ups of memories that did not pass, since all memories were compared. */
  wasted: number;
}
