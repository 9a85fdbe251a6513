import { countOutdated, sizeOfVectors } from '../../projections/search/queries.js';
import type { Embedder } from '../adapters/embeddings/embedder.js';
import { openEmbedder } from '../adapters/embeddings/open.js';
import type { QueryEmbedding } from '../adapters/embeddings/queries.js';
import type { Outside } from '../adapters/outside.js';
import type { Database } from '../database/database.js';
import type { Config } from '../settings/config.js';
import type { Embedding, EmbeddingHealth } from '../workers/embedding.js';
import { createForIndex, type ForIndex, neverForIndex } from '../workers/for-index.js';
import type { Engine } from './engines.js';

/** The embedder of the settings. One on a server must give vectors of the size that the stored ones have. */
export function wireEmbedder(
  { embeddings }: Config,
  builtIn: Embedder,
  { read }: Pick<Database, 'read'>,
  { ask }: Pick<Outside, 'ask'>,
): Embedder {
  if (!embeddings) return builtIn;
  return openEmbedder(embeddings, (model) => read((tx) => sizeOfVectors(tx, model)).catch(() => null), ask);
}

/**
 * What makes memories fit to be indexed with their append. Nothing does where the append is not the commit, because EventStoreDB has the
 * ledger, or where a search engine follows the index and finds them a moment later.
 */
export const wireForIndex = (
  { eventStore, elasticsearch }: Pick<Config, 'eventStore' | 'elasticsearch'>,
  parts: Parameters<typeof createForIndex>[0],
): ForIndex => (eventStore || elasticsearch ? neverForIndex : createForIndex(parts));

interface EmbeddingParts {
  readonly database: Database;
  readonly embedding: Embedding;
  readonly queries: QueryEmbedding;
}

/** Memories that are counted at most, so that the count is quick. */
const mostCounted = 10_000;

/** The embedder on a server, as metrics and readiness know it; nothing for the built-in one. */
export function wireEmbeddings({ embeddings }: Config, { database, embedding, queries }: EmbeddingParts): Engine[] {
  if (!embeddings) return [];
  return [
    {
      workers: [],
      async health() {
        const { fault, embedded, refused } = embedding.health();
        const memoriesWithoutVectors = await database
          .read((tx) => countOutdated(tx, embedding.model, mostCounted))
          .catch(() => undefined);
        return {
          engine: 'embeddings',
          isUp: fault === null && !queries.isAway(),
          problems: problemsOf({ fault, embedded, refused }, queries.isAway()),
          lags: new Map(),
          records: new Map([
            ['embedded', embedded],
            ['refused', refused],
          ]),
          ...(memoriesWithoutVectors === undefined ? {} : { memoriesWithoutVectors }),
        };
      },
      close: async () => undefined,
    },
  ];
}

function problemsOf({ fault, refused }: EmbeddingHealth, queriesAreAway: boolean): string[] {
  const away = fault ?? (queriesAreAway ? 'the embeddings server does not embed queries' : null);
  return [
    ...(away === null
      ? []
      : [
          `Searches and new memories go by words only until EMBEDDINGS_URL works: ${away}. Vectors are added by themselves then.`,
        ]),
    ...(refused === 0
      ? []
      : [`EMBEDDINGS_URL has refused ${refused} texts, which are found by words only. The log names their memories.`]),
  ];
}
