/**
 * What the search index has of a memory, made of its text before the append, because it needs more than the database: the words are cut
 * and the vectors computed in the process. Searches find a memory that is appended with it from the commit on.
 */
export interface IndexableText {
  /** Of its vectors. */
  readonly model: string;
  /** The distinct tokens of the parts of the text: lists of equal length. See `IndexedPart` of the domain. */
  readonly parts: readonly {
    readonly texts: readonly string[];
    readonly kinds: readonly (0 | 1 | 2 | 3 | 4)[];
    readonly positions: readonly string[];
  }[];
  readonly facts: { readonly asks: boolean; readonly saysWhen: boolean; readonly speaker: string | null };
  /** The vectors of its chunks, as they are stored. */
  readonly vectors: readonly IndexableVector[];
}

export interface IndexableVector {
  /** Of the chunk. */
  readonly ordinal: number;
  /** The model with the number of components. */
  readonly key: string;
  /** The components, as integers of at most 24 bits. */
  readonly vector: Float32Array;
  /** The code by which searches by vectors find it. */
  readonly code: Buffer;
}

/** The same of one entry of a commit. */
export interface Indexable extends IndexableText {
  /** Of the entry that writes the memory. */
  readonly receiptId: string;
  /** Of the namespace: the text search configuration, which says how its words are stemmed. */
  readonly textConfig: string;
  /** Whether the workspace has webhooks, which may be notified of the memory. */
  readonly isListenedFor: boolean;
}
