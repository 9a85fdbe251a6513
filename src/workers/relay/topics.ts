import type { Row, Transaction } from '../../database/database.js';
import { forgetFollower } from '../../ledger/positions.js';

/** The chains whose entries go to a topic: those of workspaces, or those of the log and the registry. */
export type Stream = 'entries' | 'log';

/** The topic to which a stream is sent now. */
export interface RelayTopic {
  readonly topic: string;
  /** Null until the relay has seen the topic. */
  readonly partitions: number | null;
}

interface TopicRow extends Row {
  topic: string;
  partitions: number | null;
}

/** The follower that has the positions of a topic. */
export const followerOf = (topic: string): string => `relay:${topic}`;

/** The topic of a stream; null when the relay has never run. */
export async function currentTopic(tx: Transaction, stream: Stream): Promise<RelayTopic | null> {
  const [row] = await tx.query<TopicRow>(
    'select topic, partitions from relay_topics where stream = $1 and retired is null',
    [stream],
  );
  return row ?? null;
}

/**
 * Makes the topic of the settings the current one, unless it was so before: after a reset the settings may still name the old
 * topic. A topic that was never used begins with the first entry of each chain.
 * @returns whether something has changed
 */
export async function chooseTopic(tx: Transaction, stream: Stream, topic: string): Promise<boolean> {
  const known = await tx.query('select 1 from relay_topics where topic = $1', [topic]);
  return known.length === 0 && beginTopic(tx, stream, topic);
}

/**
 * Begins with the first entry of each chain in another topic. The positions of the topic before stay for the steps in progress.
 * @returns false when the topic was used before
 */
export async function beginTopic(tx: Transaction, stream: Stream, topic: string): Promise<boolean> {
  // Two processes may do it at once: the second one waits here, and sees what the first one has done.
  await tx.query('lock table relay_topics in share row exclusive mode');
  const used = await tx.query('select 1 from relay_topics where topic = $1', [topic]);
  if (used.length > 0) return false;
  const older = await tx.query<TopicRow>(
    'select topic, partitions from relay_topics where stream = $1 and retired is not null',
    [stream],
  );
  for (const { topic: retired } of older) await forgetFollower(tx, followerOf(retired));
  await tx.query('update relay_topics set retired = now() where stream = $1 and retired is null', [stream]);
  await tx.query('insert into relay_topics (topic, stream) values ($1, $2)', [topic, stream]);
  return true;
}

export async function storePartitions(tx: Transaction, topic: string, partitions: number): Promise<void> {
  await tx.query('update relay_topics set partitions = $2 where topic = $1', [topic, partitions]);
}

/** The sentences about a topic, until the next check. @returns whether they are others than before */
export async function storeFaults(
  tx: Transaction,
  topic: string,
  { stopped, warning }: { readonly stopped: string | null; readonly warning: string | null },
): Promise<boolean> {
  const changed = await tx.query(
    `update relay_topics set stopped = $2, warning = $3
      where topic = $1 and (stopped, warning) is distinct from ($2::text, $3::text) returning 1`,
    [topic, stopped, warning],
  );
  return changed.length > 0;
}

/** Behind the last record of each partition that was sent, or compared with the ledger. */
export async function knownOffsets(tx: Transaction, topic: string): Promise<Map<number, number>> {
  const rows = await tx.query<{ partition: number; next_offset: number }>(
    'select partition, next_offset from relay_partitions where topic = $1',
    [topic],
  );
  return new Map(rows.map(({ partition, next_offset }) => [partition, next_offset]));
}

export async function noteOffset(tx: Transaction, topic: string, partition: number, next: number): Promise<void> {
  await tx.query(
    `insert into relay_partitions as p values ($1, $2, $3)
     on conflict (topic, partition) do update set next_offset = greatest(p.next_offset, excluded.next_offset)`,
    [topic, partition, next],
  );
}

/** All entries are sent to the same topic again, because it does not hold them any more. */
export async function rewindTopic(tx: Transaction, topic: string): Promise<void> {
  await tx.query('update relay_topics set rewound = now() where topic = $1', [topic]);
  await tx.query('delete from relay_partitions where topic = $1', [topic]);
  await tx.query('delete from relay_stops where topic = $1', [topic]);
  await forgetFollower(tx, followerOf(topic));
}
