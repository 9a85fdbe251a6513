import type { KafkaConnection } from '../../adapters/kafka/connection.js';
import { type IncomingRecord, readSpans, type Span } from '../../adapters/kafka/read.js';
import { isWrittenUuid } from '../../base/world.js';
import type { Database } from '../../database/database.js';
import { entryHash } from '../../ledger/chain.js';
import { comparePlaces, type Place } from '../../ledger/places.js';
import type { Surroundings } from '../loop.js';
import { stopChain } from './stops.js';
import { noteOffset } from './topics.js';

interface CompareParts {
  readonly database: Database;
  readonly kafka: KafkaConnection;
  readonly log: Surroundings['log'];
}

/** How long the brokers may take for the next batch. A group may need some seconds before its first one. */
const patienceMs = 30_000;

/**
 * Compares the records of a topic that are unknown to this database with the ledger, and at least the last one of each partition.
 * Records are unknown when a process ended between a send and its note, or when the database is older than the topic. A
 * chain of which the topic holds an entry that the ledger does not hold is stopped.
 */
export async function compareUnknown(
  { database, kafka, log }: CompareParts,
  topic: string,
  offsets: ReadonlyMap<number, { readonly first: number; readonly end: number }>,
  known: ReadonlyMap<number, number>,
): Promise<void> {
  const spans = new Map<number, Span>();
  for (const [partition, { first, end }] of offsets) {
    spans.set(partition, { from: Math.max(first, Math.min(known.get(partition) ?? 0, end - 1)), end });
  }
  const total = [...spans.values()].reduce((sum, { from, end }) => sum + end - from, 0);
  if (total > spans.size) log.info({ topic, records: total }, 'the relay compares records with the ledger');
  let foreign = 0;
  await readSpans(
    kafka,
    topic,
    spans,
    async (partition, records, next) => {
      const places = records.flatMap((record) => placeOf(record) ?? []);
      foreign += records.length - places.length;
      await database.transaction(async (tx) => {
        const states = await comparePlaces(tx, places);
        for (const [i, { chain, seq }] of places.entries()) {
          const state = states[i];
          if (state === undefined || state === 'same') continue;
          const detail = state === 'ahead' ? 'which the ledger does not have' : 'which is another one in the ledger';
          log.error({ topic, partition, chain, seq }, `relay: forked. The topic holds an entry ${detail}`);
          await stopChain(tx, topic, { chain, reason: 'forked', seq, detail: `entry ${seq}, ${detail}` });
        }
        await noteOffset(tx, topic, partition, next);
      });
    },
    patienceMs,
  );
  if (foreign > 0) log.warn({ topic, records: foreign }, 'the topic of the relay holds records that are no entries');
}

/** The place of the entry in a record; null when it holds none. */
export function placeOf({ value }: Pick<IncomingRecord, 'value'>): Place | null {
  if (value === null) return null;
  try {
    const entry: unknown = JSON.parse(value.toString('utf8'));
    if (typeof entry !== 'object' || entry === null || !('workspace_id' in entry) || !('seq' in entry)) return null;
    const { workspace_id: chain, seq } = entry;
    if (typeof chain !== 'string' || !isWrittenUuid(chain) || !Number.isSafeInteger(seq)) return null;
    return { chain, seq: Number(seq), hash: entryHash(value) };
  } catch {
    return null;
  }
}
