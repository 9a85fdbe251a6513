import type { Consumer, EachBatchPayload, IHeaders, KafkaMessage } from 'kafkajs';
import type { PartitionBatch, ReceiptRecord } from '../../../contracts/kafka-records.js';
import type { KafkaConnection } from './connection.js';
import { within } from './within.js';

interface ConsumedTopic {
  readonly topic: string;
  readonly group: string;
}

interface Handlers {
  /** Some records of one partition, before the next ones of that partition. */
  take(batch: PartitionBatch): Promise<void>;
  /** This process has joined the group, and these partitions are its own until the next call. */
  joined(partitions: readonly number[]): void;
}

/** Partitions of which records are taken at the same time. */
const partitionsAtOnce = 8;
const fetchMs = 500;
const leaveMs = 5000;
/** Longer than any single call of the client waits: a client that gives no sign for longer is stuck. */
const silentMs = 45_000;

/**
 * Takes part in a group of consumers until `stopping` is aborted, from the earliest record that the group has not done. The
 * generation of the group fences: the broker stores no offset of a process that has lost its partition.
 * @throws what the consumer crashed of; then a new one must be made
 */
export async function consumeRecords(
  kafka: KafkaConnection,
  { topic, group }: ConsumedTopic,
  { take, joined }: Handlers,
  stopping: AbortSignal,
): Promise<void> {
  const { consumer, discard } = kafka.consumer(group, { maxWaitTimeInMs: fetchMs });
  const { end, ...ended } = endOf(consumer, stopping);
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => joined(payload.memberAssignment[topic] ?? []));
  const running = async () => {
    await consumer.connect();
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: partitionsAtOnce,
      eachBatch: (payload) => take(batchOf(payload)),
    });
  };
  try {
    const begun = running();
    begun.catch(() => undefined);
    await Promise.race([begun, ended.ended]);
    await ended.ended;
  } finally {
    end();
    await within(leaveMs, consumer.disconnect()).catch(() => undefined);
    discard();
  }
}

/** Resolves when `stopping` is aborted; rejects when the consumer crashed or gives no sign of life any more. */
function endOf(consumer: Consumer, stopping: AbortSignal) {
  let end = () => {};
  const ended = new Promise<void>((resolve, reject) => {
    let sign = performance.now();
    const alive = () => {
      sign = performance.now();
    };
    const { CRASH, FETCH, HEARTBEAT, GROUP_JOIN } = consumer.events;
    consumer.on(FETCH, alive);
    consumer.on(HEARTBEAT, alive);
    consumer.on(GROUP_JOIN, alive);
    consumer.on(CRASH, ({ payload }) => reject(payload.error));
    const watch = setInterval(() => {
      if (performance.now() - sign > silentMs) reject(new Error('the consumer gives no sign of life'));
    }, 1000);
    const stop = () => resolve();
    stopping.addEventListener('abort', stop, { once: true });
    if (stopping.aborted) stop();
    end = () => {
      clearInterval(watch);
      stopping.removeEventListener('abort', stop);
    };
  });
  ended.catch(() => undefined);
  return { ended, end };
}

function batchOf(payload: EachBatchPayload): PartitionBatch {
  const { batch, resolveOffset, heartbeat, isRunning, isStale, pause, commitOffsetsIfNecessary, uncommittedOffsets } =
    payload;
  const { topic, partition } = batch;
  return {
    partition,
    records: batch.messages.map((message) => recordOf(topic, partition, message)),
    isRunning: () => isRunning() && !isStale(),
    heartbeat,
    resolve: resolveOffset,
    commit: () => commitOffsetsIfNecessary(uncommittedOffsets()),
    pause,
  };
}

function recordOf(topic: string, partition: number, message: KafkaMessage): ReceiptRecord {
  const { offset, key, value, timestamp } = message;
  return { topic, partition, offset, key, value, headers: headersOf(message.headers), producedAt: Number(timestamp) };
}

/**
 * The library collects headers in a plain object, in which a header named like a member of every object (`constructor`) is
 * found together with that member. A header without a value becomes an empty one, because the library cannot send the former.
 */
function headersOf(headers: IHeaders = {}): ReadonlyMap<string, readonly Buffer[]> {
  return new Map(Object.entries(headers).map(([name, value]) => [name, [value].flat().flatMap(bufferOf)]));
}

function bufferOf(value: unknown): readonly Buffer[] {
  if (value === null || value === undefined) return [Buffer.alloc(0)];
  if (Buffer.isBuffer(value)) return [value];
  return typeof value === 'string' ? [Buffer.from(value, 'utf8')] : [];
}

/** How many records of the topic the group has not done yet. */
export async function recordsBehind(kafka: KafkaConnection, { topic, group }: ConsumedTopic): Promise<number> {
  const [ends, done] = await kafka.asAdmin((admin) =>
    Promise.all([admin.fetchTopicOffsets(topic), admin.fetchOffsets({ groupId: group, topics: [topic] })]),
  );
  const doneUpTo = new Map(done[0]?.partitions.map(({ partition, offset }) => [partition, BigInt(offset)]));
  const behind = ends.reduce((sum, { partition, low, high }) => {
    const from = doneUpTo.get(partition) ?? -1n;
    const first = BigInt(low);
    return sum + (BigInt(high) - (from > first ? from : first));
  }, 0n);
  return Number(behind);
}
