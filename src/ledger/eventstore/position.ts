import type { Transaction } from '../../adapters/database/database.js';
import type { StreamPosition } from './streams.js';

/** Up to where the events of all streams were applied; null before the first. */
export async function readPosition(tx: Transaction): Promise<StreamPosition | null> {
  const [row] = await tx.query<{ commit_position: string; prepare_position: string }>(
    'select commit_position::text, prepare_position::text from stream_position',
  );
  return row ? { commit: BigInt(row.commit_position), prepare: BigInt(row.prepare_position) } : null;
}

/** Moves the position forwards. */
export async function writePosition(tx: Transaction, { commit, prepare }: StreamPosition): Promise<void> {
  await tx.query(
    `insert into stream_position as p (commit_position, prepare_position) values ($1::numeric, $2::numeric)
     on conflict (only_row) do update set commit_position = excluded.commit_position, prepare_position = excluded.prepare_position
      where (p.commit_position, p.prepare_position) < (excluded.commit_position, excluded.prepare_position)`,
    [String(commit), String(prepare)],
  );
}

export const isBehind = (a: StreamPosition, b: StreamPosition): boolean =>
  a.commit < b.commit || (a.commit === b.commit && a.prepare < b.prepare);

/** Forgets the position: the ledger is no longer in these streams, or in other ones. */
export async function clearPosition(tx: Transaction): Promise<void> {
  await tx.query('delete from stream_position');
}
