/** Converts texts to vectors. Vectors of different models are never compared with each other. */
export interface Embedder {
  /**
   * The name of the model with its size. Vectors are stored with this name, and after a change of it all texts are
   * embedded again.
   */
  readonly model: string;
  /** Whether the same text always has the same vector, on every machine. */
  readonly repeatable: boolean;
  /** The cosine below which two texts are unrelated for this model. */
  readonly floor: number;
  /**
   * One vector of length 1 per text, in order.
   * @throws when the model cannot be reached or its answer is invalid; the same texts may be sent again.
   */
  documents(texts: readonly string[]): Promise<Float32Array[]>;
  /**
   * Whether each of these texts, whose vectors are near to the query, has something in common with it. A model has this
   * function if its vectors may be near by accident, because different features share a dimension.
   */
  areNear?(query: string, idf: ReadonlyMap<string, number>, texts: readonly string[]): Promise<boolean[]>;
  /** @param idf the inverse document frequency of words, for models that weigh words; other models ignore it. */
  query(text: string, idf: ReadonlyMap<string, number>): Promise<Float32Array>;
}
