import kafkajs, { type Admin } from 'kafkajs';
import type { KafkaConnection } from './connection.js';
import { faultOf } from './faults.js';

const { ConfigResourceTypes, KafkaJSProtocolError } = kafkajs;

/** The largest batch of records of a topic that the service makes, in bytes. */
export const maxBatchBytes = 2 * 1024 * 1024;

const configuration: Readonly<Record<string, string>> = {
  'cleanup.policy': 'delete',
  'retention.ms': '-1',
  'retention.bytes': '-1',
  'max.message.bytes': String(maxBatchBytes),
};

/** The configuration of a topic. A value is null when the broker does not show it. */
export interface TopicState {
  readonly partitions: number;
  readonly cleanup: string | null;
  readonly retentionMs: string | null;
  readonly retentionBytes: string | null;
}

/**
 * Makes a topic that is missing: no record is ever removed from it, and the brokers choose the number of replicas.
 * @param more of its configuration, which may also replace what is the same for all topics
 */
export async function makeTopic(
  kafka: KafkaConnection,
  topic: string,
  partitions: number,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  await kafka.asAdmin(async (admin) => {
    if (await isThere(admin, topic)) return;
    await admin
      .createTopics({
        topics: [
          {
            topic,
            numPartitions: partitions,
            replicationFactor: -1,
            configEntries: Object.entries({ ...configuration, ...more }).map(([name, value]) => ({ name, value })),
          },
        ],
      })
      .catch((error: unknown) => {
        // Another process made it at the same time.
        if (!(error instanceof KafkaJSProtocolError && error.type === 'TOPIC_ALREADY_EXISTS')) throw error;
      });
  });
}

async function isThere(admin: Admin, topic: string): Promise<boolean> {
  return (await admin.listTopics()).includes(topic);
}

/** @returns null when there is no such topic */
export async function topicState(kafka: KafkaConnection, topic: string): Promise<TopicState | null> {
  return kafka.asAdmin(async (admin) => {
    if (!(await isThere(admin, topic))) return null;
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    const configured = await configOf(admin, topic);
    return {
      partitions: topics[0]?.partitions.length ?? 0,
      cleanup: configured.get('cleanup.policy') ?? null,
      retentionMs: configured.get('retention.ms') ?? null,
      retentionBytes: configured.get('retention.bytes') ?? null,
    };
  });
}

/** Credentials may be allowed to write to a topic without being allowed to read its configuration. */
async function configOf(admin: Admin, topic: string): Promise<ReadonlyMap<string, string>> {
  const described = await admin
    .describeConfigs({ includeSynonyms: false, resources: [{ type: ConfigResourceTypes.TOPIC, name: topic }] })
    .catch((error: unknown) => {
      if (faultOf(error) === 'denied') return null;
      throw error;
    });
  const entries = described?.resources[0]?.configEntries ?? [];
  return new Map(entries.map(({ configName, configValue }) => [configName, configValue]));
}

/** The offsets of each partition: of the first record that is there, and behind the last one. */
export async function topicOffsets(
  kafka: KafkaConnection,
  topic: string,
): Promise<ReadonlyMap<number, { readonly first: number; readonly end: number }>> {
  const offsets = await kafka.asAdmin((admin) => admin.fetchTopicOffsets(topic));
  return new Map(offsets.map(({ partition, low, high }) => [partition, { first: Number(low), end: Number(high) }]));
}
