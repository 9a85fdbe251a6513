import { randomUUID } from 'node:crypto';
import kafkajs, { type Kafka } from 'kafkajs';

const { Kafka: Client, logLevel } = kafkajs;

export interface ReadRecord {
  readonly partition: number;
  readonly offset: number;
  readonly key: string;
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** A client of the test's own, which shares nothing with that of the service. */
export function clientOf(brokers: string): Kafka {
  return new Client({ clientId: 'test', brokers: brokers.split(','), logLevel: logLevel.NOTHING });
}

/** Every record of a topic, partition by partition in order. */
export async function readTopic(brokers: string, topic: string): Promise<ReadRecord[]> {
  const client = clientOf(brokers);
  const admin = client.admin();
  await admin.connect();
  const offsets = await admin.fetchTopicOffsets(topic);
  await admin.disconnect();
  const left = new Map(
    offsets
      .filter(({ low, high }) => Number(high) > Number(low))
      .map(({ partition, high }) => [partition, Number(high)]),
  );
  const records: ReadRecord[] = [];
  if (left.size === 0) return records;
  const consumer = client.consumer({ groupId: `test-${randomUUID()}`, sessionTimeout: 6000 });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await new Promise<void>((resolve, reject) => {
    consumer
      .run({
        autoCommit: false,
        async eachBatch({ batch }) {
          const { partition, messages } = batch;
          for (const { key, value, headers, offset } of messages) {
            records.push({
              partition,
              offset: Number(offset),
              key: String(key),
              value: value ?? Buffer.alloc(0),
              headers: Object.fromEntries(Object.entries(headers ?? {}).map(([name, text]) => [name, String(text)])),
            });
          }
          if (Number(batch.lastOffset()) + 1 >= (left.get(partition) ?? 0)) left.delete(partition);
          if (left.size === 0) resolve();
        },
      })
      .catch(reject);
  });
  await consumer.disconnect();
  return records;
}

/** The records of each key in their order, without identical repetitions of earlier ones. @throws when a repetition differs */
export function withoutRepetitions(records: readonly ReadRecord[]): Map<string, ReadRecord[]> {
  const seen = new Map<string, ReadRecord>();
  const chains = new Map<string, ReadRecord[]>();
  for (const record of records) {
    const place = `${record.key} ${record.headers.seq}`;
    const earlier = seen.get(place);
    const isSame =
      earlier?.value.equals(record.value) &&
      earlier.partition === record.partition &&
      JSON.stringify(earlier.headers) === JSON.stringify(record.headers);
    if (earlier && !isSame) throw new Error(`the repetition of ${place} differs`);
    if (earlier) continue;
    seen.set(place, record);
    chains.set(record.key, [...(chains.get(record.key) ?? []), record]);
  }
  return chains;
}
