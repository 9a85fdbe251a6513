import type { TopicState } from '../../adapters/kafka/topics.js';

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
