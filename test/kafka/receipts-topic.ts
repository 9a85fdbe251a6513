import { createHmac, randomBytes } from 'node:crypto';
import kafkajs, { type Admin, type IHeaders, type Producer } from 'kafkajs';

const { Kafka, logLevel } = kafkajs;

/** A record as a platform sends it. */
export interface Sent {
  readonly key?: string | null;
  readonly value: string | Buffer | null;
  readonly headers?: IHeaders;
  readonly partition?: number;
}

/** A record as it is in a topic. */
export interface Found {
  readonly key: string | null;
  readonly value: string | null;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

/** The headers of a record that is signed with the Kafka secret of a key. */
export function signed(value: string | Buffer, keyId: string, secret: string): IHeaders {
  return { 'x-service-key-id': keyId, 'x-service-mac': createHmac('sha256', secret).update(value).digest('hex') };
}

/** A topic of task receipts with a name of its own, and its dead letters. Both are made by the service that uses them. */
export async function receiptsTopic(brokers: string) {
  const topic = `test-receipts-${randomBytes(6).toString('hex')}`;
  const kafka = new Kafka({
    brokers: brokers.split(','),
    logLevel: logLevel.NOTHING,
    retry: { initialRetryTime: 100, maxRetryTime: 1000, retries: 30 },
  });
  const admin = kafka.admin();
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  await Promise.all([admin.connect(), producer.connect()]);
  return {
    topic,
    group: `group-${topic}`,
    admin,
    send: (...records: readonly Sent[]) => send(producer, topic, records),
    /** The dead letters that are there, of all partitions. */
    dead: () => recordsOf(kafka, admin, `${topic}.dead`),
    /** How many records of each partition the group has done, and how many there are. A broker that has just started cannot say it. */
    progress: () => progress(admin, topic, `group-${topic}`).catch(() => null),
    /** Whether the group has done every record. */
    async isDone() {
      const partitions = await progress(admin, topic, `group-${topic}`).catch(() => []);
      return partitions.length > 0 && partitions.every(({ done, end }) => done === end);
    },
    async remove() {
      const topics = await admin.listTopics();
      await admin.deleteTopics({ topics: [topic, `${topic}.dead`].filter((one) => topics.includes(one)) });
      await Promise.all([admin.disconnect(), producer.disconnect()]);
    },
  };
}

export type ReceiptsTopic = Awaited<ReturnType<typeof receiptsTopic>>;

async function send(producer: Producer, topic: string, records: readonly Sent[]): Promise<void> {
  const messages = records.map(({ key = null, value, headers = {}, partition }) =>
    partition === undefined ? { key, value, headers } : { key, value, headers, partition },
  );
  await producer.send({ topic, messages, acks: -1 });
}

async function progress(admin: Admin, topic: string, groupId: string) {
  const [ends, done] = await Promise.all([
    admin.fetchTopicOffsets(topic),
    admin.fetchOffsets({ groupId, topics: [topic] }),
  ]);
  const offsets = new Map(done[0]?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
  // The group has the offset -1 in a partition of which it has done nothing.
  return ends.map(({ partition, high }) => ({ done: Math.max(offsets.get(partition) ?? 0, 0), end: Number(high) }));
}

async function recordsOf(kafka: InstanceType<typeof Kafka>, admin: Admin, topic: string): Promise<Found[]> {
  const offsets = await admin.fetchTopicOffsets(topic);
  const expected = offsets.reduce((sum, { low, high }) => sum + Number(high) - Number(low), 0);
  if (expected === 0) return [];
  const found: Found[] = [];
  const consumer = kafka.consumer({ groupId: `read-${randomBytes(6).toString('hex')}`, maxWaitTimeInMs: 50 });
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await new Promise<void>((resolve, reject) => {
    const eachMessage = async ({ message }: { message: Parameters<typeof foundOf>[0] }) => {
      found.push(foundOf(message));
      if (found.length >= expected) resolve();
    };
    consumer.run({ autoCommit: false, eachMessage }).catch(reject);
  });
  await consumer.disconnect();
  return found;
}

function foundOf({
  key,
  value,
  headers = {},
}: {
  key: Buffer | null;
  value: Buffer | null;
  headers?: IHeaders;
}): Found {
  const text = (one: Buffer | string) => one.toString();
  const own = Object.entries(headers).flatMap(([name, one]) =>
    one === undefined ? [] : [[name, Array.isArray(one) ? one.map(text) : text(one)] as const],
  );
  return { key: key?.toString() ?? null, value: value?.toString() ?? null, headers: Object.fromEntries(own) };
}

/** Waits until something is so, for some seconds at most. */
export async function eventually(what: string, isSo: () => boolean | Promise<boolean>, seconds = 30): Promise<void> {
  const until = performance.now() + seconds * 1000;
  while (!(await isSo())) {
    if (performance.now() > until) throw new Error(`not within ${seconds} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
