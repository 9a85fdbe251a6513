import type { Transaction } from '../database/database.js';

/** The row that says that a follower was begun. No chain has this id. */
const begun = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** A chain that has grown beyond the position of a follower. */
export interface Behind {
  readonly chain: string;
  /** The last entry of the chain that the follower is through with, and the last that there is. */
  readonly seq: number;
  readonly head: number;
}

/** A position that this process may move until it loses the lease. */
export interface HeldPosition {
  readonly name: string;
  readonly chain: string;
  readonly owner: string;
  /** Greater than that of every earlier owner. */
  readonly fence: number;
  readonly seq: number;
}

/**
 * Begins a follower that was never begun: at the first entries of all chains, or behind those that there are now. Chains that
 * begin later are followed from their first entry either way.
 */
export async function beginFollower(tx: Transaction, name: string, from: 'begin' | 'now'): Promise<void> {
  const inserted = await tx.query(
    'insert into followers values ($1, $2, 0, null, 0, now()) on conflict do nothing returning 1',
    [name, begun],
  );
  if (inserted.length === 0 || from === 'begin') return;
  await tx.query(
    `insert into followers select $1, chain, head_seq, null, 0, now() from chains where head_seq > 0
     on conflict do nothing`,
    [name],
  );
}

export interface ChainPage {
  /** Null for all chains. */
  readonly among: readonly string[] | null;
  /** The id of the last chain of the page before; null for the first page. */
  readonly after: string | null;
  readonly limit: number;
}

export interface Page {
  /** The chains of the page that are behind and that no other process holds. */
  readonly behind: readonly Behind[];
  /** Null when there is no further page. */
  readonly last: string | null;
}

/** A page of the chains, in the order of their ids. */
export async function chainsBehind(
  tx: Transaction,
  name: string,
  owner: string,
  { among, after, limit }: ChainPage,
): Promise<Page> {
  const rows = await tx.query<{ chain: string; seq: number; head: number; is_free: boolean }>(
    `select c.chain::text, coalesce(f.seq, 0) as seq, c.head_seq as head,
            coalesce(f.owner is null or f.owner = $2 or f.until < now(), true) as is_free
       from (select chain, head_seq from chains
              where ($3::uuid is null or chain > $3::uuid) and ($4::uuid[] is null or chain = any($4::uuid[])) order by chain limit $5) c
       left join followers f on f.name = $1 and f.chain = c.chain order by c.chain`,
    [name, owner, after, among, limit],
  );
  const behind = rows.filter(({ seq, head, is_free }) => head > seq && is_free);
  return { behind, last: rows.length < limit ? null : (rows.at(-1)?.chain ?? null) };
}

/** Takes the lease of a position for `ms`, or renews it. @returns null while another process has it */
export async function takePosition(
  tx: Transaction,
  name: string,
  chain: string,
  owner: string,
  ms: number,
): Promise<HeldPosition | null> {
  const [row] = await tx.query<{ seq: number; fence: number }>(
    `insert into followers as f values ($1, $2, 0, $3, 1, now() + $4 * interval '1 millisecond')
     on conflict (name, chain) do update set owner = excluded.owner, until = excluded.until,
       fence = f.fence + case when f.owner = excluded.owner and f.until > now() then 0 else 1 end
      where f.owner is null or f.owner = excluded.owner or f.until < now() returning seq, fence`,
    [name, chain, owner, ms],
  );
  return row ? { name, chain, owner, fence: row.fence, seq: row.seq } : null;
}

/**
 * Moves a position, and renews its lease. The row is locked until the transaction ends, so no other process takes it over meanwhile.
 * @param to its own place only renews the lease
 * @returns false, and changes nothing, when the lease was lost
 */
export async function movePosition(tx: Transaction, held: HeldPosition, to: number, ms: number): Promise<boolean> {
  const { name, chain, owner, fence, seq } = held;
  const rows = await tx.query(
    `update followers set seq = $6, until = now() + $7 * interval '1 millisecond'
      where name = $1 and chain = $2 and owner = $3 and fence = $4 and seq = $5 and until > now() returning 1`,
    [name, chain, owner, fence, seq, to, ms],
  );
  return rows.length > 0;
}

/** Gives back one chain of a follower, or all that this process holds. */
export async function releasePositions(tx: Transaction, name: string, owner: string, chain: string | null = null) {
  await tx.query(
    'update followers set owner = null where name = $1 and owner = $2 and ($3::uuid is null or chain = $3::uuid)',
    [name, owner, chain],
  );
}

interface Lag {
  /** Entries that the follower is not through with, in all chains. */
  readonly entries: number;
  /** The age of the oldest of them, by the database's clock; 0 when there is none. */
  readonly seconds: number;
}

/** Removes every position of a follower: it begins again. A process that holds one loses it. */
export async function forgetFollower(tx: Transaction, name: string): Promise<void> {
  await tx.query('delete from followers where name = $1', [name]);
}

/** The chains that a follower follows: these, or all except these. */
export type Among = { readonly only: readonly string[] } | { readonly except: readonly string[] };

/** How far a follower is behind. */
export async function lagOf(tx: Transaction, name: string, among: Among = { except: [] }): Promise<Lag> {
  const [only, except] = 'only' in among ? [among.only, []] : [null, among.except];
  const [row] = await tx.query<Lag & { [column: string]: unknown }>(
    `select coalesce(sum(c.head_seq - coalesce(f.seq, 0)), 0)::bigint as entries,
            greatest(0, coalesce(extract(epoch from now() - min((convert_from(e.bytes, 'UTF8')::json ->> 'recorded_at')::timestamptz)),
              0))::float8 as seconds
       from chains c left join followers f on f.name = $1 and f.chain = c.chain
       join entries e on e.chain = c.chain and e.seq = coalesce(f.seq, 0) + 1
      where c.head_seq > coalesce(f.seq, 0) and ($2::uuid[] is null or c.chain = any($2::uuid[])) and c.chain <> all($3::uuid[])`,
    [name, only, except],
  );
  return { entries: row?.entries ?? 0, seconds: row?.seconds ?? 0 };
}
