import type { Logger } from 'pino';
import type { Config } from '../settings/config.js';
import type { ElasticsearchParts, WiredElasticsearch } from './elasticsearch.js';
import { allEngines, type Engine } from './engines.js';
import type { OpenedKafka } from './kafka.js';
import type { KafkaReceiptsParts } from './kafka-receipts.js';
import type { RelayParts } from './kafka-relay.js';

/*
 * The engines that the settings may name. Their clients are 550 files, so they are loaded only where the settings name them.
 */

/** @throws WrongSetting when the cluster refuses the credentials, or the address is not one of Elasticsearch */
export async function wireElasticsearch(
  { elasticsearch }: Pick<Config, 'elasticsearch'>,
  parts: ElasticsearchParts,
): Promise<WiredElasticsearch> {
  if (!elasticsearch) return { engines: [], erased: async () => true };
  return (await import('./elasticsearch.js')).elasticsearchEngine(elasticsearch, parts);
}

/** @returns null where the settings name no brokers. @throws WrongSetting */
export async function wireKafka({ kafka }: Pick<Config, 'kafka'>, log: Logger): Promise<OpenedKafka | null> {
  return kafka ? (await import('./kafka.js')).openBrokers(kafka, log) : null;
}

/** The sending of entries to Kafka, where the settings name brokers. */
export async function wireKafkaRelay(opened: OpenedKafka | null, parts: RelayParts): Promise<readonly Engine[]> {
  return opened ? [(await import('./kafka-relay.js')).relayEngine(opened, parts)] : [];
}

/** The consumer of task receipts, where the settings name its topic. */
export async function wireKafkaReceipts(
  opened: OpenedKafka | null,
  { memoryApi }: Pick<Config, 'memoryApi'>,
  parts: KafkaReceiptsParts,
) {
  const receipts = opened?.setting.receipts;
  if (receipts && !memoryApi) parts.log.warn('MEMORY_API is off, so no task receipts are taken from Kafka');
  if (!opened || !receipts || !memoryApi) return allEngines([]);
  return allEngines([await (await import('./kafka-receipts.js')).receiptsEngine(opened, receipts, parts)]);
}
