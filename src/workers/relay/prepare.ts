import type { KafkaConnection } from '../../adapters/kafka/connection.js';
import { makeTopic, type TopicState, topicOffsets, topicState } from '../../adapters/kafka/topics.js';
import type { Database } from '../../database/database.js';
import type { Surroundings } from '../loop.js';
import { compareUnknown } from './compare.js';
import { stoppedChains } from './stops.js';
import { knownOffsets, type RelayTopic, rewindTopic, storeFaults, storePartitions } from './topics.js';

interface PrepareParts {
  readonly database: Database;
  readonly kafka: KafkaConnection;
  readonly log: Surroundings['log'];
}

/** Nothing may be sent to the topic as it is. */
export class TopicStopped extends Error {
  override name = 'TopicStopped';
}

/** A topic to which entries may be sent. */
export interface ReadyTopic {
  readonly topic: string;
  readonly partitions: number;
  /** Chains of which it holds entries that are not in the ledger. */
  readonly forked: ReadonlySet<string>;
}

/** How long a partition that seems to have lost records is left before it is looked at again: a new leader may be behind for a moment. */
const settleMs = 2000;

/**
 * Makes a topic when it is missing, checks what it is, and compares it with the ledger.
 * @param partitions of a topic that is made
 * @throws TopicStopped
 */
export async function prepareTopic(parts: PrepareParts, relayed: RelayTopic, partitions: number): Promise<ReadyTopic> {
  const { database, log } = parts;
  const { topic } = relayed;
  const state = (await topicState(parts.kafka, topic)) ?? (await made(parts, relayed, partitions));
  await requireUsable(parts, relayed, state);
  if (relayed.partitions === null) await database.transaction((tx) => storePartitions(tx, topic, state.partitions));
  // In this order: other processes send meanwhile.
  const known = await database.read((tx) => knownOffsets(tx, topic));
  const offsets = await topicOffsets(parts.kafka, topic);
  if (hasLost(known, offsets) && (await hasLostStill(parts, topic, known))) {
    log.error({ topic }, 'the topic of the relay has lost records that were sent; all entries are sent to it again');
    await database.transaction((tx) => rewindTopic(tx, topic));
    known.clear();
  }
  await compareUnknown(parts, topic, offsets, known);
  const forked = await database.read((tx) => stoppedChains(tx, topic, 'forked'));
  return { topic, partitions: state.partitions, forked };
}

/** @throws TopicStopped when the topic is gone or has another number of partitions */
export async function checkTopic(parts: PrepareParts, relayed: RelayTopic): Promise<void> {
  const state = await topicState(parts.kafka, relayed.topic);
  if (state === null) throw new TopicStopped(`the Kafka topic ${relayed.topic} is gone`);
  await requireUsable(parts, relayed, state);
}

async function made(
  { database, kafka, log }: PrepareParts,
  { topic, partitions: before }: RelayTopic,
  partitions: number,
): Promise<TopicState> {
  if (before !== null) {
    log.error({ topic }, 'the topic of the relay is gone; it is made again, and all entries are sent to it again');
    await database.transaction((tx) => rewindTopic(tx, topic));
  }
  await makeTopic(kafka, topic, before ?? partitions);
  const state = await topicState(kafka, topic);
  if (state === null) throw new Error(`the topic ${topic} is not there yet after it was made`);
  return state;
}

async function requireUsable(
  { database, log }: PrepareParts,
  { topic, partitions }: RelayTopic,
  state: TopicState,
): Promise<void> {
  const stopped = stopOf(topic, state, partitions);
  const warning = warningOf(topic, state);
  const isNew = await database.transaction((tx) => storeFaults(tx, topic, { stopped, warning }));
  if (warning !== null && isNew) log.warn({ topic }, warning);
  if (stopped !== null) throw new TopicStopped(stopped);
}

type Offsets = Awaited<ReturnType<typeof topicOffsets>>;

const hasLost = (known: ReadonlyMap<number, number>, offsets: Offsets): boolean =>
  [...known].some(([partition, next]) => (offsets.get(partition)?.end ?? 0) < next);

async function hasLostStill({ kafka }: PrepareParts, topic: string, known: ReadonlyMap<number, number>) {
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  return hasLost(known, await topicOffsets(kafka, topic));
}

/** A sentence that says why nothing may be sent to a topic; null when nothing is wrong. */
export function stopOf(topic: string, state: TopicState, expected: number | null): string | null {
  if (expected === null || state.partitions === expected) return null;
  return (
    `relay: stopped. The Kafka topic ${topic} has ${state.partitions} partitions and had ${expected} when the relay began, so ` +
    'the entries of a workspace would be in two partitions. Nothing is sent. Run counterfoil relay reset --topic NEW.'
  );
}

/** A sentence that says why entries that were sent do not stay in a topic; null when they do. */
export function warningOf(topic: string, { cleanup, retentionMs, retentionBytes }: TopicState): string | null {
  if (cleanup?.split(',').includes('compact')) {
    return (
      `The Kafka topic ${topic} is compacted, so that the newest entry of each workspace replaces the entries before it. ` +
      'Set cleanup.policy=delete.'
    );
  }
  const finite = [
    ...(isBounded(retentionMs) ? [`retention.ms=${retentionMs}`] : []),
    ...(isBounded(retentionBytes) ? [`retention.bytes=${retentionBytes}`] : []),
  ];
  if (finite.length === 0) return null;
  return `The Kafka topic ${topic} has ${finite.join(' and ')}, so that its oldest entries are removed. Set it to -1.`;
}

const isBounded = (setting: string | null): boolean => setting !== null && setting !== '-1';
