import type { BoundedFetch } from '../bounded-fetch.js';
import type { Embedder } from './embedder.js';
import { lexicalEmbedder } from './lexical.js';
import { type OpenAiOptions, openAiEmbedder, type StoredSize } from './openai.js';

/** The embedder of the settings; without settings the built-in one. */
export function openEmbedder(server: OpenAiOptions | undefined, storedSize?: StoredSize, ask?: BoundedFetch): Embedder {
  return server ? openAiEmbedder(server, storedSize, ask) : lexicalEmbedder();
}
