import type { Transaction } from '../database/database.js';

/** A place in a chain, and the hash of the entry that someone else has there. */
export interface Place {
  readonly chain: string;
  readonly seq: number;
  readonly hash: string;
}

/** The state of a place in this ledger: it holds the same entry, another entry, or none yet. */
type PlaceState = 'same' | 'different' | 'ahead';

interface PlaceRow {
  [column: string]: unknown;
  hash: string | null;
}

/** Compares places that were read elsewhere with the ledger, in their order. */
export async function comparePlaces(tx: Transaction, places: readonly Place[]): Promise<PlaceState[]> {
  const rows = await tx.query<PlaceRow>(
    `select encode(e.hash, 'hex') as hash
       from unnest($1::uuid[], $2::bigint[]) with ordinality as p(chain, seq, position)
       left join entries e on e.chain = p.chain and e.seq = p.seq order by p.position`,
    [places.map(({ chain }) => chain), places.map(({ seq }) => seq)],
  );
  return places.map(({ hash }, i) => {
    const stored = rows[i]?.hash ?? null;
    if (stored === null) return 'ahead';
    return stored === hash ? 'same' : 'different';
  });
}
