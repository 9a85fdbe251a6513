import type { Row, Transaction } from '../database/database.js';

/** The state that a copy of the database must have before it may answer: the newest entry of a chain, and all that was committed by then. */
interface Needed {
  readonly chain: string;
  /** 0 where the chain has no entries. */
  readonly seq: number;
  readonly hash: Uint8Array | null;
  /** The end of the write-ahead log; null where this database is a copy itself. */
  readonly wal: string | null;
}

/**
 * The state that shows a reader of this chain everything that was committed. Jobs and lists of words have no entries, so the
 * chain alone does not say it.
 */
export async function neededNow(tx: Transaction, chain: string): Promise<Needed> {
  const [row] = await tx.query<{ seq: number; hash: Uint8Array | null; wal: string | null }>(
    `select coalesce(c.head_seq, 0) as seq, c.head_hash as hash,
            case when not pg_is_in_recovery() then pg_current_wal_flush_lsn()::text end as wal
       from (select 1) one left join chains c on c.chain = $1`,
    [chain],
  );
  return { chain, seq: row?.seq ?? 0, hash: row?.hash ?? null, wal: row?.wal ?? null };
}

/**
 * Whether a copy that replays the write-ahead log has it. The hash is compared too: after a failover a copy may have gone on
 * with a log that the new primary does not have.
 */
export async function hasReached(tx: Transaction, { chain, seq, hash, wal }: Needed): Promise<boolean> {
  const [row] = await tx.query<{ reached: boolean | null }>(
    `select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn
            and ($3::int8 = 0 or exists (select from entries where chain = $2 and seq = $3 and hash = $4)) as reached`,
    [wal, chain, seq, hash],
  );
  return row?.reached ?? false;
}

/** How far a copy is behind. */
export interface CopyLag {
  readonly entries: number;
  readonly seconds: number;
}

interface Progress extends Row {
  entries: number;
  wal: string | null;
}

/** How far the primary is. */
export async function progressOf(tx: Transaction): Promise<Progress> {
  const [row] = await tx.query<Progress>(
    `select coalesce(sum(head_seq), 0)::bigint as entries,
            case when not pg_is_in_recovery() then pg_current_wal_flush_lsn()::text end as wal from chains`,
  );
  return row ?? { entries: 0, wal: null };
}

/** How far this copy is behind what the primary had. The seconds are the age of the newest commit that the copy has. */
export async function lagBehind(tx: Transaction, primary: Progress): Promise<CopyLag> {
  const [row] = await tx.query<{ entries: number; seconds: number }>(
    `select greatest(0, $1::int8 - coalesce(sum(head_seq), 0))::bigint as entries,
            case when pg_last_wal_replay_lsn() >= $2::pg_lsn then 0
                 else coalesce(greatest(0, extract(epoch from now() - pg_last_xact_replay_timestamp())), 0) end::float8 as seconds
       from chains`,
    [primary.entries, primary.wal],
  );
  return row ?? { entries: 0, seconds: 0 };
}
