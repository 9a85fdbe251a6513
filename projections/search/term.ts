import type { Row } from '../../src/database/database.js';
import type { Lengths, PostingList } from './posting-list.js';

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
  list: PostingList;
  /** The lengths of all documents of the namespace. */
  lengths: Lengths;
  /** From 0 to 1: how much it counts. 1 for a word as the query has it. */
  share: number;
  /** Whether it is only spelt like a word of the query. */
  isSimilar: boolean;
}
