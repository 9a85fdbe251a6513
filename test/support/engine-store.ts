import { randomBytes } from 'node:crypto';
import kafkajs from 'kafkajs';
import { elasticsearchUrl, kafkaBrokers } from './engines.js';
import { startEventStore } from './eventstore-server/server.js';

/** The settings of a service that has streams, an index and a topic of its own. */
export interface EngineStore {
  readonly env: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** One server for all services of this process. It ends with the process. */
let eventStore: ReturnType<typeof startEventStore> | undefined;

const { Kafka, logLevel } = kafkajs;

/** Names in servers that all tests share: nothing of it is there before the service starts. */
export async function engineStore(): Promise<EngineStore> {
  eventStore ??= startEventStore();
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  const brokers = kafkaBrokers();
  const elasticsearch = elasticsearchUrl();
  return {
    env: {
      EVENTSTORE_URL: (await eventStore).url,
      EVENTSTORE_PREFIX: prefix,
      ELASTICSEARCH_URL: elasticsearch,
      ELASTICSEARCH_INDEX_PREFIX: prefix,
      ELASTICSEARCH_REPLICAS: '0',
      KAFKA_BROKERS: brokers,
      KAFKA_ENTRIES_TOPIC: prefix,
      KAFKA_PARTITIONS: '1',
    },
    async remove() {
      await Promise.all([removeIndices(elasticsearch, prefix), removeTopic(brokers, prefix)]);
    },
  };
}

/** A server refuses to delete by a pattern, so the names are requested first. */
async function removeIndices(server: string, prefix: string): Promise<void> {
  const found = await fetch(`${server}/_cat/indices/${prefix}-*?h=index`);
  const names = (await found.text()).split(/\s+/).filter((name) => name !== '');
  for (const name of names) await fetch(`${server}/${name}`, { method: 'DELETE' });
}

async function removeTopic(brokers: string, topic: string): Promise<void> {
  const admin = new Kafka({ clientId: 'tests', brokers: brokers.split(','), logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    const topics = await admin.listTopics();
    if (topics.includes(topic)) await admin.deleteTopics({ topics: [topic] });
  } finally {
    await admin.disconnect();
  }
}
