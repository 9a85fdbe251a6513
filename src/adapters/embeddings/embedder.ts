/** How long a call waits: `brief` while others wait for what becomes of it, `long` in the background. */
export type Patience = 'brief' | 'long';

/**
 * Thrown when no text can be embedded now: the server cannot be reached, fails, is busy, or gives vectors that cannot be used. The
 * message holds nothing of the texts.
 */
export class EmbedderAway extends Error {
  override name = 'EmbedderAway';
  /**
   * @param retryAfterMs how long the server wants to be left alone; null if it does not say
   * @param isBusy whether it has only had too many requests
   */
  constructor(
    message: string,
    readonly retryAfterMs: number | null = null,
    readonly isBusy = false,
  ) {
    super(message);
  }
}

/** Thrown when the vectors have another size than the stored ones. The model may have been replaced under its name. */
export class OtherSize extends EmbedderAway {
  override name = 'OtherSize';
  constructor(
    readonly size: number,
    stored: number,
  ) {
    super(
      `the embeddings server gives vectors of ${size} numbers, and the stored ones of EMBEDDINGS_MODEL have ${stored}`,
    );
  }
}

/** Thrown when the server refuses one of these texts. It may take others. */
export class TextsRefused extends Error {
  override name = 'TextsRefused';
}

/** A text that is sent to find out whether texts can be embedded, and into vectors of what size. */
export const probeText = 'Does the embeddings server answer?';

/** Converts texts to vectors. Vectors of different models are never compared with each other. */
export interface Embedder {
  /**
   * The name of the model with its size. Vectors are stored with this name, and after a change of it all texts are
   * embedded again.
   */
  readonly model: string;
  /** Whether the same text always has the same vector, on every machine. */
  readonly repeatable: boolean;
  /** Whether it makes the vector of a query in this process, in well under a millisecond, so that a transaction may wait for it. */
  readonly isQuick?: true;
  /** The cosine below which two texts are unrelated for this model; null where it is estimated from stored vectors. */
  readonly floor: number | null;
  /**
   * One vector of length 1 per text, in order.
   * @throws EmbedderAway; the same texts may be sent again
   * @throws TextsRefused
   */
  documents(texts: readonly string[], patience?: Patience): Promise<Float32Array[]>;
  /**
   * Says whether texts have anything in common with a query. A model has this if vectors may be near by accident, because it puts
   * different features of a text into one dimension.
   * @param idf the inverse document frequency of words
   */
  nearTo?(query: string, idf: ReadonlyMap<string, number>): (text: string) => boolean;
  /** Notes that it has refused this number of texts together, and has taken both halves of them: the next requests have fewer. */
  noteTooMany?(count: number): void;
  /** The stored vectors were given up: the next ones may have another size. */
  forgetSize?(): void;
  /**
   * Waits for two seconds at most.
   * @param idf the inverse document frequency of words, for models that weigh words; other models ignore it.
   * @throws EmbedderAway
   * @throws TextsRefused
   */
  query(text: string, idf: ReadonlyMap<string, number>): Promise<Float32Array>;
}
