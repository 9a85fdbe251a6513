import { z } from 'zod';
import { boundedFetch, Unavailable } from '../bounded-fetch.js';
import type { Embedder } from './embedder.js';

const answer = z.object({ data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()) })) });

/** Texts per request: well below the limit of every known server, and enough to make the round trip unimportant. */
const batchSize = 64;
const timeoutMs = 30_000;
/** The largest vector that pgvector can store. */
const maxDimensions = 16_000;
/** A number of 25 characters for each dimension, including separators. */
const maxVectorBytes = 25 * maxDimensions;
const maxErrorBytes = 64 * 1024;
/** Models use 32-bit numbers: a larger length would be infinite, and a smaller one is noise. */
const lengths = { least: 1e-30, most: 3.4e38 };

export interface OpenAiOptions {
  /** The address, for example `http://127.0.0.1:11434/v1`. It may end with `/embeddings`. */
  readonly url: string;
  readonly model: string;
  readonly apiKey: string | undefined;
}

/** An embedder that uses an OpenAI-compatible `/v1/embeddings`: OpenAI, Ollama, vLLM, text-embeddings-inference. */
export function openAiEmbedder({ url, model, apiKey }: OpenAiOptions): Embedder {
  const base = url.replace(/\/+$/, '');
  const address = base.endsWith('/embeddings') ? base : `${base.endsWith('/v1') ? base : `${base}/v1`}/embeddings`;

  async function embed(input: readonly string[]): Promise<Float32Array[]> {
    const { status, body } = await boundedFetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
      body: JSON.stringify({ model, input, encoding_format: 'float' }),
      timeoutMs,
      maxBytes: maxErrorBytes + input.length * maxVectorBytes,
    }).catch((error: unknown) => {
      throw error instanceof Unavailable ? new Error(`the embeddings server: ${error.message}`) : error;
    });
    // The body of an error may repeat the texts that were sent, so only its status goes into messages and logs.
    if (status < 200 || status > 299) throw new Error(`the embeddings server answered ${status}`);
    const { data } = read(body);
    const vectors = [...data].sort((a, b) => a.index - b.index).map(({ embedding }) => normalised(embedding));
    if (vectors.length !== input.length) throw new Error('the embeddings server left texts out');
    return vectors;
  }

  return {
    model: `openai:${model}`,
    repeatable: false,
    // Sentence models give unrelated texts a cosine of about 0.1 to 0.3. A low floor preserves the ranking.
    floor: 0.2,
    async documents(texts) {
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += batchSize) {
        vectors.push(...(await embed(texts.slice(from, from + batchSize))));
      }
      return vectors;
    },
    async query(text) {
      const [vector] = await embed([text]);
      if (!vector) throw new Error('the embeddings server gave no vector');
      return vector;
    },
  };
}

/** Parses an answer. No part of it may get into messages, because it may repeat the texts. */
function read(body: Uint8Array): z.infer<typeof answer> {
  try {
    return answer.parse(JSON.parse(Buffer.from(body).toString('utf8')));
  } catch {
    throw new Error('the embeddings server gave an answer that cannot be understood');
  }
}

function normalised(values: readonly number[]): Float32Array {
  const length = values.length > maxDimensions ? Number.NaN : Math.hypot(...values);
  if (values.length === 0 || !(length >= lengths.least && length <= lengths.most)) {
    throw new Error('the embeddings server gave a vector that cannot be used');
  }
  return Float32Array.from(values, (value) => value / length);
}
