import kafkajs, { type Kafka, type Message } from 'kafkajs';
import { within } from './within.js';

const { Partitioners } = kafkajs;

/** A record as it goes to a topic. */
export interface OutgoingRecord {
  readonly key: string | Buffer | null;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, string | Buffer | (string | Buffer)[]>>;
  /** Without it the key decides. */
  readonly partition?: number;
}

/** Where the first record of a batch is in its partition; unknown when the broker had it already. */
export interface Acknowledged {
  readonly partition: number;
  readonly offset: number | null;
}

/**
 * An idempotent producer with one request in flight. One batch at a time: a batch that is given a second time while its first
 * request is pending would be appended twice. After an error it must be discarded, because its numbering may be broken.
 */
export interface RecordProducer {
  /** Resolves when the records are on all replicas that are in sync. */
  send(topic: string, records: readonly OutgoingRecord[], signal?: AbortSignal): Promise<readonly Acknowledged[]>;
  /** Nothing more leaves it afterwards. */
  discard(): void;
}

export async function openProducer(kafka: Kafka, discard: () => void, ms: number): Promise<RecordProducer> {
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
  });
  await within(ms, producer.connect()).catch((error) => {
    discard();
    throw error;
  });
  return {
    discard,
    async send(topic, records, signal) {
      const messages = records.map(messageOf);
      try {
        const answers = await within(ms, producer.send({ topic, messages, acks: -1, timeout: ms }), signal);
        return answers.map(({ partition, baseOffset }) => ({ partition, offset: offsetOf(baseOffset) }));
      } catch (error) {
        discard();
        throw error;
      }
    },
  };
}

function messageOf({ key, value, headers, partition }: OutgoingRecord): Message {
  return partition === undefined
    ? { key, value, headers: { ...headers } }
    : { key, value, headers: { ...headers }, partition };
}

function offsetOf(baseOffset: string | undefined): number | null {
  const offset = Number(baseOffset ?? -1);
  return offset >= 0 ? offset : null;
}

/** The partition of a key, as the clients of Kafka in Java and elsewhere choose it. */
export function partitionOf(topic: string, key: string, partitions: number): number {
  const partitionMetadata = Array.from({ length: partitions }, (_, partitionId) => ({
    partitionId,
    partitionErrorCode: 0,
    leader: 0,
    replicas: [],
    isr: [],
  }));
  return Partitioners.DefaultPartitioner()({ topic, partitionMetadata, message: { key, value: null } });
}
