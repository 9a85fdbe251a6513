import type { Logger } from 'pino';
import { databaseIndex, searchCache } from '../../projections/search/queries.js';
import type { QueryEmbedding } from '../adapters/embeddings/queries.js';
import type { RateLimiter } from '../adapters/rate-limiter.js';
import { openTokens } from '../adapters/tokens.js';
import { createSearch, type SearchParts } from '../commands/search.js';
import { createFindSimilar } from '../commands/similar.js';
import type { Config } from '../settings/config.js';

interface SearchingParts
  extends Pick<SearchParts, 'world' | 'read' | 'ownWrites' | 'readList' | 'readWithin' | 'run' | 'embedder' | 'vault'> {
  readonly log: Pick<Logger, 'warn' | 'info'>;
  readonly limiter: RateLimiter;
  readonly queries: QueryEmbedding;
  /** Whether some memories may still have vectors of another model only. */
  reembedding(): boolean;
}

/** The search: the one place that knows which index gives the candidates. */
export async function wireSearch(config: Config, parts: SearchingParts) {
  const { searchArms: arms, rateLimits: limited, elasticsearch } = config;
  const { limiter, reembedding, world, read, readList, readWithin, run, embedder, queries, vault, ownWrites } = parts;
  const cache = searchCache();
  const database = databaseIndex({ cache, reembedding });
  // Its client takes a while to load, and most services do without it.
  const engine =
    elasticsearch && (await import('./elasticsearch-search.js')).withElasticsearch(elasticsearch, database, parts.log);
  const searched = { cache, index: engine?.index ?? database };
  const budget = openTokens();
  const searching = {
    world,
    run,
    embedder,
    queries,
    arms,
    budget,
    searched,
    vault,
    ownWrites,
    limiter: limited ? limiter : null,
    read,
    readList,
    readWithin,
  };
  return {
    search: createSearch(searching),
    findSimilar: createFindSimilar(searching),
    searched,
    budget,
    connection: { close: async () => engine?.close() },
  };
}
