import type { Logger } from 'pino';
import { circuitBreaker } from '../circuit-breaker.js';
import { type Embedder, TextsRefused } from './embedder.js';

/** Embeds the queries of searches, which do not wait for an embedder that does not answer. */
export interface QueryEmbedding {
  /** Whether no query is sent now, because the last ones were not answered. After a pause one query shows whether that has ended. */
  isAway(): boolean;
  /** @returns null when there is no vector, because the embedder is away or refuses the query */
  vectorOf(text: string, idf: ReadonlyMap<string, number>): Promise<Float32Array | null>;
}

export function queryEmbedding(
  embedder: Pick<Embedder, 'query'>,
  log: Pick<Logger, 'warn' | 'info'>,
  now?: () => number,
): QueryEmbedding {
  const breaker = circuitBreaker(
    {
      opened: (err) => log.warn({ err }, 'queries cannot be embedded; searches go by words only'),
      closed: () => log.info('queries can be embedded again'),
    },
    now,
  );
  return {
    isAway: breaker.isOpen,
    vectorOf: (text, idf) =>
      breaker
        .run(() =>
          embedder.query(text, idf).catch((error: unknown) => {
            // This is an answer: otherwise one caller's queries could keep the vectors from all others.
            if (error instanceof TextsRefused) return null;
            throw error;
          }),
        )
        .catch(() => null),
  };
}
