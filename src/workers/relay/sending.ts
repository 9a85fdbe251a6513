import type { KafkaConnection } from '../../adapters/kafka/connection.js';
import { faultOf, KafkaTooLate, reasonOf } from '../../adapters/kafka/faults.js';
import type { Acknowledged, OutgoingRecord, RecordProducer } from '../../adapters/kafka/producer.js';
import type { Database } from '../../database/database.js';
import type { Stored } from '../../ledger/entries.js';
import type { Sent } from '../follow-chain.js';
import type { Surroundings } from '../loop.js';
import { batchesOf, createAddresses, recordOf } from './records.js';
import { acceptChain, stopChain } from './stops.js';
import { noteOffset } from './topics.js';

interface SendingParts {
  readonly database: Database;
  readonly kafka: KafkaConnection;
  readonly log: Surroundings['log'];
}

interface Target {
  readonly topic: string;
  readonly partitions: number;
  /** Chains whose next entry was refused when they were last tried. */
  readonly refused: Set<string>;
  /** The topic is not the one to which entries were sent before: it is gone, or it has lost records. */
  lost(): void;
}

/** The broker does not take an entry. Its chain waits, because nothing is skipped. */
class EntryRefused extends Error {
  override name = 'EntryRefused';
}

/** How long a send may last: at first, and at most. A slow broker gets more time, or it would take the same batch forever. */
const sendMs = { first: 15_000, longest: 120_000 };

/**
 * Sends the entries of chains to a topic. A producer works for one chain at a time, and is discarded after any error, so that a
 * batch whose outcome is unknown is never sent by two producers at once.
 */
export function createSending(parts: SendingParts, target: Target) {
  const { database, kafka, log } = parts;
  const { topic, partitions, refused } = target;
  const addressOf = createAddresses(database, topic, partitions);
  const producers = createPool(kafka);
  /** The last offset of each partition that was acknowledged. */
  const acknowledged = new Map<number, number>();
  let fault: string | null = null;

  async function deliver(records: readonly OutgoingRecord[], lost: AbortSignal): Promise<Acknowledged[]> {
    const before = new Map(acknowledged);
    const answers = await producers.use((producer) => producer.send(topic, records, lost));
    for (const { partition, offset } of answers) {
      if (offset === null) continue;
      if (offset < (before.get(partition) ?? 0)) {
        target.lost();
        throw new Error(`the topic ${topic} has lost records: partition ${partition} continues at offset ${offset}`);
      }
      acknowledged.set(partition, Math.max(offset, acknowledged.get(partition) ?? 0));
    }
    return [...answers];
  }

  /** A broker refuses a whole batch because of one record in it, or because of the size of all. */
  async function* delivering(batch: readonly OutgoingRecord[], lost: AbortSignal) {
    try {
      yield { records: batch, answers: await deliver(batch, lost) };
    } catch (error) {
      if (batch.length === 1 || !isRefusal(error)) throw error;
      for (const record of batch) yield { records: [record], answers: await deliver([record], lost) };
    }
  }

  async function sendAll(chain: string, entries: readonly Stored[], lost: AbortSignal): Promise<Sent> {
    const address = await addressOf(chain);
    const records = entries.map((entry) => recordOf(entry, address));
    const offsets: (readonly [number, number])[] = [];
    let count = 0;
    try {
      for (const batch of batchesOf(records)) {
        for await (const { records, answers } of delivering(batch, lost)) {
          count += records.length;
          for (const { partition, offset } of answers) {
            if (offset !== null) offsets.push([partition, offset + records.length]);
          }
        }
      }
    } catch (error) {
      // The entries before it are sent, and their position moves first.
      if (!isRefusal(error) || count === 0) throw await refusalOf(error, chain, entries[count]);
    }
    const through = entries[count - 1]?.entry.seq ?? 0;
    const wasRefused = refused.delete(chain);
    return {
      through,
      async alongside(tx) {
        for (const [partition, next] of offsets) await noteOffset(tx, topic, partition, next);
        if (wasRefused) await acceptChain(tx, topic, chain);
      },
    };
  }

  async function refusalOf(error: unknown, chain: string, stored: Stored | undefined): Promise<unknown> {
    if (!isRefusal(error) || stored === undefined) return error;
    const { seq } = stored.entry;
    const detail = `entry ${seq} of ${stored.bytes.length} bytes: ${reasonOf(error)}`;
    refused.add(chain);
    await database.transaction((tx) => stopChain(tx, topic, { chain, reason: 'refused', seq, detail }));
    return new EntryRefused(`the Kafka broker refuses ${detail}`);
  }

  return {
    /** A sentence about the last send, when it failed. */
    fault: () => fault,
    async send(chain: string, entries: readonly Stored[], lost: AbortSignal): Promise<Sent> {
      try {
        const sent = await sendAll(chain, entries, lost);
        fault = null;
        return sent;
      } catch (error) {
        if (lost.aborted || error instanceof EntryRefused) throw error;
        if (faultOf(error) === 'no_topic') target.lost();
        fault = `The relay cannot send to the Kafka topic ${topic} (${reasonOf(error)}). It tries again.`;
        log.warn({ topic, chain, err: error }, 'entries could not be sent');
        throw error;
      }
    },
    discard: producers.discard,
  };
}

const isRefusal = (error: unknown): boolean => ['too_large', 'refused'].includes(faultOf(error));

/** Producers that wait for work. One that has failed is discarded. */
function createPool(kafka: KafkaConnection) {
  const idle: RecordProducer[] = [];
  const busy = new Set<RecordProducer>();
  let ms = sendMs.first;

  return {
    async use<T>(work: (producer: RecordProducer) => Promise<T>): Promise<T> {
      const producer = idle.pop() ?? (await kafka.producer(ms));
      busy.add(producer);
      const begun = performance.now();
      try {
        const result = await work(producer);
        idle.push(producer);
        if (performance.now() - begun < sendMs.first / 2) ms = sendMs.first;
        return result;
      } catch (error) {
        producer.discard();
        if (error instanceof KafkaTooLate) ms = Math.min(sendMs.longest, 2 * ms);
        throw error;
      } finally {
        busy.delete(producer);
      }
    },
    discard() {
      for (const producer of [...idle.splice(0), ...busy]) producer.discard();
    },
  };
}
