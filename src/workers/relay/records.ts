import { type OutgoingRecord, partitionOf } from '../../adapters/kafka/producer.js';
import { inGroups } from '../../base/groups.js';
import type { Database } from '../../database/database.js';
import { entryHash } from '../../ledger/chain.js';
import { type Stored, tagKeyOf } from '../../ledger/entries.js';
import { tagOf } from '../../tlog/leaves.js';

/** The key of the records of a chain, and the partition that follows from it. */
interface Address {
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

/** Addresses in memory. */
const addressesAtMost = 10_000;

/**
 * The key of a chain's records is its tag in the public log, under the first tag key that it had: with another key its entries
 * would be in another partition, and consumers would take them for those of another chain.
 */
export function createAddresses(database: Database, topic: string, partitions: number) {
  const found = new Map<string, Address>();

  const keyOf = (chain: string) =>
    database.transaction(async (tx) => {
      const tag = tagOf(await tagKeyOf(tx, chain), chain);
      await tx.query('insert into relay_keys values ($1, $2) on conflict do nothing', [chain, tag]);
      const [row] = await tx.query<{ key: string }>('select key from relay_keys where chain = $1', [chain]);
      return row?.key ?? tag;
    });

  return async (chain: string): Promise<Address> => {
    const known = found.get(chain);
    if (known) return known;
    const key = await keyOf(chain);
    const address = { key, partition: partitionOf(topic, key, partitions) };
    if (found.size >= addressesAtMost) found.clear();
    found.set(chain, address);
    return address;
  };
}
