import { z } from 'zod';
import { type BoundedFetch, boundedFetch, Unavailable } from '../bounded-fetch.js';
import { createBatchSize } from './batch-size.js';
import { type Embedder, EmbedderAway, OtherSize, type Patience, probeText, TextsRefused } from './embedder.js';

const answer = z.object({ data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()) })) });

/** How long a query is waited for. */
const queryMs = 2000;
/**
 * How long a request with texts is waited for: `brief` while memories wait to be found, `long` in the background, where a model
 * without a graphics card may take half a second for a text.
 */
const waits: Record<Patience, { readonly ms: number; readonly perTextMs: number }> = {
  brief: { ms: 2000, perTextMs: 100 },
  long: { ms: 5000, perTextMs: 400 },
};
/** Statuses below 500 that are about the service, its credentials or its load, and not about the texts. */
const aboutService: ReadonlySet<number> = new Set([401, 402, 403, 404, 405, 407, 408, 425, 429]);
const tooManyRequests = 429;
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

/** The size of the stored vectors of a model; null if there are none, or if it cannot be read now. */
export type StoredSize = (model: string) => Promise<number | null>;

/** An embedder that uses an OpenAI-compatible `/v1/embeddings`: OpenAI, Ollama, vLLM, text-embeddings-inference. */
export function openAiEmbedder(
  options: OpenAiOptions,
  storedSize: StoredSize = async () => null,
  ask: BoundedFetch = boundedFetch,
): Embedder {
  const embed = requestsTo(options, ask);
  const model = `openai:${options.model}`;
  const batchSize = createBatchSize();
  let knownSize: number | null = null;

  /** @throws EmbedderAway when the vectors are of different sizes, or of another one than the stored vectors */
  async function requireSize(vectors: readonly Float32Array[]): Promise<void> {
    const size = vectors[0]?.length ?? 0;
    if (vectors.some(({ length }) => length !== size)) {
      throw new EmbedderAway('the embeddings server gives vectors of different sizes');
    }
    if (size === knownSize) return;
    // Another process may have embedded everything again after a change of the size.
    knownSize = (await storedSize(model)) ?? knownSize;
    if (knownSize !== null && size !== knownSize) throw new OtherSize(size, knownSize);
  }

  function noteFailed(error: unknown, count: number): never {
    if (error instanceof EmbedderAway && !error.isBusy) batchSize.noteFailed(count);
    throw error;
  }

  return {
    model,
    repeatable: false,
    floor: null,
    async documents(texts, patience = 'long') {
      const { ms, perTextMs } = waits[patience];
      const waitMs = (count: number): number => ms + count * perTextMs;
      const vectors: Float32Array[] = [];
      while (vectors.length < texts.length) {
        const some = texts.slice(vectors.length, vectors.length + batchSize.now());
        vectors.push(...(await embed(some, waitMs(some.length)).catch((error) => noteFailed(error, some.length))));
        await requireSize(vectors);
      }
      // A first answer of a wrong size would make all later ones wrong, so a second one has to agree with it.
      if (knownSize === null && vectors.length > 0) {
        await requireSize([...vectors, ...(await embed([probeText], waitMs(1)))]);
        knownSize = vectors[0]?.length ?? null;
      }
      return vectors;
    },
    noteTooMany: batchSize.noteTooMany,
    forgetSize() {
      knownSize = null;
    },
    async query(text) {
      const vectors = await embed([text], queryMs);
      await requireSize(vectors);
      const [vector] = vectors;
      if (!vector) throw new EmbedderAway('the embeddings server gave no vector');
      return vector;
    },
  };
}

/** @returns a function that gives one vector of length 1 per text, in order */
function requestsTo({ url, model, apiKey }: OpenAiOptions, ask: BoundedFetch) {
  const base = url.replace(/\/+$/, '');
  const address = base.endsWith('/embeddings') ? base : `${base.endsWith('/v1') ? base : `${base}/v1`}/embeddings`;
  return async (input: readonly string[], timeoutMs: number): Promise<Float32Array[]> => {
    const { status, body, retryAfterMs } = await ask(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
      body: JSON.stringify({ model, input, encoding_format: 'float' }),
      timeoutMs,
      maxBytes: maxErrorBytes + input.length * maxVectorBytes,
    }).catch((error: unknown) => {
      throw error instanceof Unavailable ? new EmbedderAway(`the embeddings server: ${error.message}`) : error;
    });
    // The body of an error may repeat the texts that were sent, so only its status goes into messages and logs.
    if (status < 200 || status > 299) {
      const sentence = `the embeddings server answered ${status}`;
      if (status >= 400 && status < 500 && !aboutService.has(status)) throw new TextsRefused(sentence);
      throw new EmbedderAway(sentence, retryAfterMs, status === tooManyRequests);
    }
    const { data } = read(body);
    const vectors = [...data].sort((a, b) => a.index - b.index).map(({ embedding }) => normalised(embedding));
    if (vectors.length !== input.length) throw new EmbedderAway('the embeddings server left texts out');
    return vectors;
  };
}

/** Parses an answer. No part of it may get into messages, because it may repeat the texts. */
function read(body: Uint8Array): z.infer<typeof answer> {
  try {
    return answer.parse(JSON.parse(Buffer.from(body).toString('utf8')));
  } catch {
    throw new EmbedderAway('the embeddings server gave an answer that cannot be understood');
  }
}

function normalised(values: readonly number[]): Float32Array {
  const length = values.length > maxDimensions ? Number.NaN : Math.hypot(...values);
  if (values.length === 0 || !(length >= lengths.least && length <= lengths.most)) {
    throw new EmbedderAway('the embeddings server gave a vector that cannot be used');
  }
  return Float32Array.from(values, (value) => value / length);
}
