import type { Logger } from 'pino';
import {
  databaseIndex,
  engineIndex,
  type SearchIndex,
  searchCache,
  storedCopy,
} from '../../projections/search/queries.js';
import { circuitBreaker } from '../adapters/circuit-breaker.js';
import { elasticsearchCandidates } from '../adapters/elasticsearch/candidates.js';
import { openCluster } from '../adapters/elasticsearch/client.js';
import { documentVersion } from '../adapters/elasticsearch/mapping.js';
import type { QueryEmbedding } from '../adapters/embeddings/queries.js';
import type { RateLimiter } from '../adapters/rate-limiter.js';
import { openTokens } from '../adapters/tokens.js';
import { createSearch, type SearchParts } from '../commands/search.js';
import { createFindSimilar } from '../commands/similar.js';
import type { Config } from '../settings/config.js';
import type { ElasticsearchSetting } from '../settings/engines.js';

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
  const engine = elasticsearch && withElasticsearch(elasticsearch, database, parts.log);
  const searched = { cache, index: engine?.index ?? database };
  const budget = await openTokens();
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

/**
 * The index with candidates from Elasticsearch. Searches have a connection of their own, so that they do not wait behind the
 * requests of the writer.
 */
function withElasticsearch(setting: ElasticsearchSetting, database: SearchIndex, log: SearchingParts['log']) {
  const cluster = openCluster(setting);
  const answering = setting.fallback ? 'the database answers searches' : 'searches are refused';
  const breaker = circuitBreaker({
    opened: (err) => log.warn({ err }, `Elasticsearch does not answer searches; ${answering}`),
    closed: () => log.info('Elasticsearch answers searches again'),
  });
  const engine = elasticsearchCandidates(cluster, breaker);
  const index = engineIndex({ engine, copyOf: storedCopy(documentVersion), database, fallback: setting.fallback });
  return { index, close: () => cluster.close() };
}
