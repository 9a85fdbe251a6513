import type { OutgoingRecord } from '../../adapters/kafka/producer.js';
import { inGroups } from '../../base/groups.js';
import { entryHash } from '../../ledger/chain.js';
import type { Stored } from '../../ledger/entries.js';

/** The key of the records of a chain, and the partition that follows from it. */
export interface Address {
  readonly key: string;
  readonly partition: number;
}

/**
 * The record of an entry. Its value is the bytes that were hashed. A repetition of the same entry is the same in key, value
 * and headers.
 * @throws when the stored bytes are not those that were hashed
 */
export function recordOf({ entry, bytes, hash }: Stored, { key, partition }: Address): OutgoingRecord {
  if (entryHash(bytes) !== hash) {
    throw new Error(`the stored bytes of entry ${entry.seq} are not those of its hash; counterfoil fsck says more`);
  }
  return {
    key,
    partition,
    value: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    headers: { hash, seq: String(entry.seq), kind: entry.kind, 'content-type': 'application/json' },
  };
}

/**
 * The records of one request, in bytes: clients of Kafka take batches below 1 MiB as they come. An entry has at most 512 KiB, so
 * each fits.
 */
const batchBytes = 768 * 1024;

/** Records in their order, in the batches that are sent together. */
export const batchesOf = (records: readonly OutgoingRecord[]): OutgoingRecord[][] =>
  inGroups(records, ({ value }) => value?.length ?? 0, { size: batchBytes });
