import { randomUUID } from 'node:crypto';
import type { KafkaConnection } from './connection.js';
import { KafkaTooLate } from './faults.js';
import { within } from './within.js';

/** A record of a topic. */
export interface IncomingRecord {
  readonly partition: number;
  readonly offset: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
}

/** Offsets of a partition: the first that is read, and the one behind the last. */
export interface Span {
  readonly from: number;
  readonly end: number;
}

const closeMs = 2000;
/** The library gives a consumer only to a member of a group. This one has a name of its own and commits nothing. */
const groupPrefix = 'counterfoil-reader-';

/**
 * Reads spans of the partitions of a topic, in batches of one partition each.
 * @param take is awaited before the next batch of the partition is read
 * @param patienceMs how long it waits at most for the next batch
 * @throws KafkaTooLate
 */
export async function readSpans(
  kafka: KafkaConnection,
  topic: string,
  spans: ReadonlyMap<number, Span>,
  take: (partition: number, records: readonly IncomingRecord[], next: number) => Promise<void>,
  patienceMs: number,
): Promise<void> {
  const left = new Map([...spans].filter(([, { from, end }]) => end > from));
  if (left.size === 0) return;
  const { consumer, discard } = kafka.consumer(groupPrefix + randomUUID());
  const { done, moved, failed } = createPatience(patienceMs);
  consumer.on(consumer.events.CRASH, ({ payload }) => failed(payload.error));
  const read = async () => {
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      async eachBatch({ batch, heartbeat }) {
        const { partition } = batch;
        const span = left.get(partition);
        if (span === undefined) return;
        const records = batch.messages
          .map(({ offset, key, value }) => ({ partition, offset: Number(offset), key, value }))
          .filter(({ offset }) => offset >= span.from && offset < span.end);
        const next = Math.min(Number(batch.lastOffset()) + 1, span.end);
        if (next <= span.from) return;
        await take(partition, records, next);
        await heartbeat();
        moved();
        if (next < span.end) left.set(partition, { from: next, end: span.end });
        else left.delete(partition);
        if (left.size === 0) moved('done');
      },
    });
    for (const [partition, { from }] of left) consumer.seek({ topic, partition, offset: String(from) });
  };
  try {
    await Promise.all([read().catch(failed), done]);
  } finally {
    await within(closeMs, consumer.disconnect()).catch(() => undefined);
    discard();
  }
}

/** Resolves when it is done, and fails when nothing has moved for some time. */
function createPatience(ms: number) {
  let end: { resolve(): void; reject(error: unknown): void } = { resolve: () => undefined, reject: () => undefined };
  const done = new Promise<void>((resolve, reject) => {
    end = { resolve, reject };
  });
  const late = () => end.reject(new KafkaTooLate(`no record could be read for ${ms} ms`));
  let timer = setTimeout(late, ms);
  return {
    done: done.finally(() => clearTimeout(timer)),
    failed: (error: unknown) => end.reject(error),
    moved(state?: 'done') {
      clearTimeout(timer);
      if (state === 'done') end.resolve();
      else timer = setTimeout(late, ms);
    },
  };
}
