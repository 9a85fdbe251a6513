/** A text in a namespace, and the vectors of its chunks. */
export interface ExactDocument {
  readonly memoryId: string;
  readonly text: string;
  readonly vectors: readonly Float32Array[];
}

/** BM25 of every document that holds one of the words, with no index at all. */
export function exactBm25(
  documents: readonly ExactDocument[],
  words: readonly string[],
  { k1, b }: { readonly k1: number; readonly b: number },
): Map<string, number> {
  const texts = documents.map(({ memoryId, text }) => ({ memoryId, words: text.toLowerCase().split(' ') }));
  const average = texts.reduce((sum, text) => sum + text.words.length, 0) / texts.length;
  const scores = new Map<string, number>();
  for (const word of words) {
    const holders = texts.filter((text) => text.words.includes(word));
    const idf = Math.log(1 + (texts.length - holders.length + 0.5) / (holders.length + 0.5));
    for (const { memoryId, words: all } of holders) {
      const frequency = all.filter((one) => one === word).length;
      const share = (idf * frequency * (k1 + 1)) / (frequency + k1 * (1 - b + (b * all.length) / average));
      scores.set(memoryId, (scores.get(memoryId) ?? 0) + share);
    }
  }
  return scores;
}

/** The cosine of the nearest chunk of every document. */
export function exactCosines(documents: readonly ExactDocument[], vector: Float32Array): Map<string, number> {
  const norm = (of: Float32Array) => Math.hypot(...of);
  const cosine = (of: Float32Array) =>
    of.reduce((sum, x, i) => sum + x * (vector[i] ?? 0), 0) / norm(of) / norm(vector);
  return new Map(documents.map(({ memoryId, vectors }) => [memoryId, Math.max(...vectors.map(cosine))]));
}
