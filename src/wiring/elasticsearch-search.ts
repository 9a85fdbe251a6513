import type { Logger } from 'pino';
import { engineIndex, type SearchIndex, storedCopy } from '../../projections/search/queries.js';
import { circuitBreaker } from '../adapters/circuit-breaker.js';
import { elasticsearchCandidates } from '../adapters/elasticsearch/candidates.js';
import { openCluster } from '../adapters/elasticsearch/client.js';
import { documentVersion } from '../adapters/elasticsearch/mapping.js';
import type { ElasticsearchSetting } from '../settings/engines.js';

/**
 * The index with candidates from Elasticsearch. Searches have a connection of their own, so that they do not wait behind the
 * requests of the writer.
 */
export function withElasticsearch(
  setting: ElasticsearchSetting,
  database: SearchIndex,
  log: Pick<Logger, 'warn' | 'info'>,
) {
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
