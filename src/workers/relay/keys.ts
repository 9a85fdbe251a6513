import { partitionOf } from '../../adapters/kafka/producer.js';
import type { Database } from '../../database/database.js';
import { tagKeyOf } from '../../ledger/entries.js';
import { tagOf } from '../../tlog/leaves.js';
import type { Address } from './records.js';

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
