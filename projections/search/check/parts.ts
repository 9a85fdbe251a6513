import type { Numbered } from '../new-blocks.js';

/** The part of an embedder that this check uses. */
export interface Embedder {
  readonly model: string;
  /** Whether the same text always gives the same vector. */
  readonly repeatable: boolean;
  documents(texts: readonly string[]): Promise<readonly Float32Array[]>;
}

/** Documents of one namespace, whose postings and codes are in blocks of their own. */
export interface BlockRange {
  readonly namespaceId: string;
  /** The text search configuration, which says how the words of the texts are stemmed. */
  readonly textConfig: string;
  /** The numbers (`seq`) of the documents: from the first of this range up to, but without, the first of the next range. */
  readonly from: number;
  readonly to: number;
}

/** A document as it is in the index, and the text that it was made from. */
export interface Indexed {
  readonly memoryId: string;
  readonly seq: number;
  /** Whether the memory is ready, and whether it is in this namespace under this number. */
  readonly ready: boolean;
  readonly inPlace: boolean;
  readonly content: string | null;
  /** SHA-256 of the words of its parts, and of its vectors with their keys; null where vectors are not compared. */
  readonly words: string;
  readonly vectors: string | null;
  /** The number of documents that the page would have without its limit of bytes. */
  readonly found: number;
}

/** The documents of a range as they must be, from which its lists are made. Those that were faulty are there too. */
export type ListedById = ReadonlyMap<string, Numbered>;
