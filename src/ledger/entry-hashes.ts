import type { Transaction } from '../database/database.js';

/** The hashes of `count` entries of a chain behind its first `from`, 32 bytes each, one behind the other. */
export async function entryHashes(tx: Transaction, chain: string, from: number, count: number): Promise<Uint8Array> {
  const [row] = await tx.query<{ hashes: Uint8Array | null }>(
    `select string_agg(hash, ''::bytea order by seq) as hashes from entries where chain = $1 and seq > $2 and seq <= $3`,
    [chain, from, from + count],
  );
  return row?.hashes ?? new Uint8Array();
}
