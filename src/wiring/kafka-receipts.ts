import type { Logger } from 'pino';
import { keyBySecretHash, signingKey } from '../../projections/account/queries.js';
import type { KafkaConnection } from '../adapters/kafka/connection.js';
import { reasonOf } from '../adapters/kafka/faults.js';
import { consumeRecords, recordsBehind } from '../adapters/kafka/receipts-consumer.js';
import { makeTopic, maxBatchBytes } from '../adapters/kafka/topics.js';
import type { CallParts } from '../api/call.js';
import { createIdentifySigned } from '../api/keys/signed-caller.js';
import type { World } from '../base/world.js';
import type { Database } from '../database/database.js';
import { keyHash } from '../domain/secrets.js';
import { createDeadLetters, type DeadLetterProducer, deadTopicOf } from '../kafka/dead-letters.js';
import { createReceiptsHealth } from '../kafka/health.js';
import { createTakingState } from '../kafka/state.js';
import { createTake } from '../kafka/take.js';
import { createTakeBatch } from '../kafka/take-batch.js';
import type { KafkaSetting } from '../settings/engines.js';
import { createWorker } from '../workers/loop.js';
import type { Engine } from './engines.js';
import type { OpenedKafka } from './kafka.js';
import { notedUses } from './noted-uses.js';
import { notingFirstUseOf } from './start/noting-first-use.js';

export interface KafkaReceiptsParts extends CallParts {
  readonly database: Database;
  readonly background: Database;
  readonly world: World;
  readonly log: Logger;
}

type ReceiptsSetting = NonNullable<KafkaSetting['receipts']>;

const sendMs = 10_000;
const restartMs = 1000;

/** The consumer of task receipts. */
export async function receiptsEngine(
  { kafka, setting }: OpenedKafka,
  receipts: ReceiptsSetting,
  parts: KafkaReceiptsParts,
): Promise<Engine> {
  const { topic, apiKey, group } = receipts;
  const { database, world, services } = parts;
  const state = createTakingState();
  const identify = createIdentifySigned({
    findSigning: (id) => database.read((tx) => signingKey(tx, id)),
    findByHash: (hash) => database.read((tx) => keyBySecretHash(tx, hash)),
    secrets: services.access.kafkaSecrets,
    apiKey,
  });
  const noteUse = notedUses(parts);
  const noting = async (...given: Parameters<typeof identify>) => {
    const caller = await identify(...given);
    if (caller.actor.id !== null) noteUse(caller.actor.id);
    return caller;
  };
  const take = createTake({ ...parts, identify: await notingFirstUseOf(database, noting) });
  const dead = createDeadLetters(() => deadProducer(kafka), world.now);
  const takeBatch = createTakeBatch({ take, sendDead: dead.send, state, world });
  const worker = createWorker(parts, {
    name: 'task receipts from Kafka',
    napMs: restartMs,
    async work(stopping) {
      try {
        await makeTopics(kafka, topic, setting.partitions);
        const joined = (partitions: readonly number[]) => {
          state.assigned(partitions);
          state.stopped(null, world.now());
        };
        await consumeRecords(
          kafka,
          { topic, group },
          { joined, take: (batch) => takeBatch(batch, stopping) },
          stopping,
        );
      } catch (error) {
        state.stopped(reasonOf(error), world.now());
        throw error;
      }
      return false;
    },
  });
  const isKeyKnown = async () =>
    apiKey === undefined || (await database.read((tx) => keyBySecretHash(tx, keyHash(apiKey)))) !== undefined;
  return {
    workers: [['ingest', worker]],
    health: createReceiptsHealth({
      topic,
      state,
      world,
      isUp: async () => (await kafka.problem()) === null,
      isKeyKnown,
      behind: () => recordsBehind(kafka, { topic, group }),
    }),
    close: async () => dead.close(),
  };
}

/**
 * The brokers store the records of the topic uncompressed: the client library reads no compression but gzip, and a compressed
 * record could be of any size. The topic of dead letters has room for each record of the other and for what is added to it.
 */
async function makeTopics(kafka: KafkaConnection, topic: string, partitions: number): Promise<void> {
  await makeTopic(kafka, topic, partitions, { 'compression.type': 'uncompressed' });
  await makeTopic(kafka, deadTopicOf(topic), partitions, { 'max.message.bytes': String(2 * maxBatchBytes) });
}

async function deadProducer(kafka: KafkaConnection): Promise<DeadLetterProducer> {
  const { send, discard } = await kafka.producer(sendMs);
  return {
    discard,
    async send(topic, { key, value, headers }) {
      const own = Array.from(headers, ([name, values]): [string, Buffer[]] => [name, [...values]]);
      await send(topic, [{ key, value, headers: Object.fromEntries(own) }]);
    },
  };
}
