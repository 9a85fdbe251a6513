/** Turns texts into vectors. What carries one model's name is never compared with another's. */
export interface Embedder {
  /** Names model and size; vectors are stored under it, and a changed name embeds everything again. */
  readonly model: string;
  /** Whether the same text gives the same vector on every machine and at any time. */
  readonly repeatable: boolean;
  /** Cosine below which two texts of this model have nothing to do with each other. */
  readonly floor: number;
  /**
   * One vector of length 1 per text, in order.
   * @throws when the model cannot be reached or answers nonsense; the same texts may be sent again.
   */
  documents(texts: readonly string[]): Promise<Float32Array[]>;
  /** @param idf how rare a word is in what is searched, for models that weigh words; others do not look at it. */
  query(text: string, idf: ReadonlyMap<string, number>): Promise<Float32Array>;
}
