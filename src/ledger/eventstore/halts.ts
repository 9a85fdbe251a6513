import type { Row, Transaction } from '../../database/database.js';

/**
 * Why a chain is halted. `removal`: a setting makes the server remove entries, or the stream was deleted; other chains are not
 * concerned. `lost`: the stream does not have what the tables have, so this may be another cluster or an older copy.
 */
type HaltKind = 'removal' | 'lost';

/** A chain that takes no appends until its stream is repaired. The reason is a sentence. */
export interface Halt extends Row {
  readonly chain: string;
  readonly kind: HaltKind;
  readonly reason: string;
}

/** The chains that are halted, up to `limit` of them. */
export function readHalts(tx: Transaction, limit: number): Promise<Halt[]> {
  return tx.query<Halt>('select chain::text, kind, reason from halted_chains order by kind, chain limit $1', [limit]);
}

/** How many chains are halted, by the kind of the reason. */
export async function countHalts(tx: Transaction): Promise<ReadonlyMap<HaltKind, number>> {
  const rows = await tx.query<{ kind: HaltKind; count: number }>(
    'select kind, count(*) as count from halted_chains group by kind',
  );
  return new Map(rows.map(({ kind, count }) => [kind, count]));
}

export async function hasHalt(tx: Transaction, chain: string): Promise<boolean> {
  return (await tx.query('select 1 from halted_chains where chain = $1', [chain])).length > 0;
}

/** @returns whether this is news: the chain was not halted, or for another reason */
export async function halt(tx: Transaction, { chain, kind, reason }: Halt): Promise<boolean> {
  const rows = await tx.query(
    `insert into halted_chains as h (chain, kind, reason) values ($1, $2, $3)
     on conflict (chain) do update set kind = excluded.kind, reason = excluded.reason
      where (h.kind, h.reason) <> (excluded.kind, excluded.reason) returning 1 as one`,
    [chain, kind, reason],
  );
  return rows.length > 0;
}

/** @returns whether the chain was halted */
export async function resume(tx: Transaction, chain: string): Promise<boolean> {
  const rows = await tx.query('delete from halted_chains where chain = $1 returning 1 as one', [chain]);
  return rows.length > 0;
}

/** All streams were compared, or other ones hold the ledger from now on. */
export async function resumeAll(tx: Transaction): Promise<void> {
  await tx.query('delete from halted_chains');
}
