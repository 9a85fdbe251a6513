import type { Embedder } from '../../src/adapters/embeddings/embedder.js';
import { lexicalEmbedder } from '../../src/adapters/embeddings/lexical.js';
import { createEmbedding, type Embedding } from '../../src/workers/embedding.js';

/** Embeds as the service does, and says nothing. */
export const embeddingOf = (embedder: Embedder, now?: () => number): Embedding =>
  createEmbedding(embedder, { info: () => undefined, warn: () => undefined }, now);

export const builtIn = embeddingOf(lexicalEmbedder());
