import { logChain } from '../../contracts/log.js';
import type { Row, Transaction } from '../../src/database/database.js';
import { chainRows } from '../../src/ledger/rows.js';

/**
 * pending: nothing was submitted; submitted: calendars have promised a proof; attested: a proof names a block; confirmed: the
 * header of the block was checked.
 */
export type AnchorState = 'pending' | 'submitted' | 'attested' | 'confirmed';

export interface CheckpointRow extends Row {
  size: number;
  root: Uint8Array;
  note: string;
  signed_at: string;
  anchor: AnchorState;
  /** SHA-256 of the note's text in hex, and its timestamp as an .ots file; null before the checkpoint is submitted. */
  digest: string | null;
  ots: Uint8Array | null;
  submitted_at: string | null;
  heights: number[];
  height: number | null;
  header: Uint8Array | null;
  block_hash: string | null;
}

/** Checkpoints with their anchors in Bitcoin by OpenTimestamps. */
const checkpoints = `select c.size, c.root, c.note, c.signed_at, coalesce(a.state, 'pending') as anchor, a.digest, a.proof as ots,
    a.submitted_at, coalesce(a.heights, '{}') as heights, a.height, a.header, a.block_hash
  from checkpoints c left join anchors a on a.size = c.size and a.type = 'opentimestamps'`;

/** Where the log's chain ends: the number of its entries, and the hash of the last one in lowercase hex. */
export interface LogHead {
  readonly seq: number;
  readonly hash: string;
}

/** The turn that the log's chain names last: the directory of keys that knows its preimage signs (see `src/tlog/turn.ts`). */
export interface NewestTurn {
  /** SHA-256 of the turn, in lowercase hex. */
  readonly turn: string;
  /** The leaves that its holder may sign first. */
  readonly size: number;
}

interface LogState {
  /** The end of the log's chain at the moment of this state. */
  readonly head: LogHead;
  /** The number of leaves of the log. */
  readonly size: number;
  readonly latest: CheckpointRow | undefined;
  /** Null in a log that no version with turns has signed yet. */
  readonly newest: NewestTurn | null;
}

export async function logState(tx: Transaction): Promise<LogState> {
  const [[head], [end], latest, newest] = await Promise.all([
    tx.query<LogHead & Row>(
      `select c.head_seq as seq, encode(c.head_hash, 'hex') as hash from ${chainRows} c where c.chain = $1`,
      [logChain],
    ),
    tx.query<{ size: number }>('select coalesce(max(index) + 1, 0)::bigint as size from log_leaves', []),
    latestCheckpoint(tx),
    newestTurn(tx),
  ]);
  return { head: head ?? { seq: 0, hash: '' }, size: end?.size ?? 0, latest, newest };
}

export async function newestTurn(tx: Transaction): Promise<NewestTurn | null> {
  const [row] = await tx.select<NewestTurn & Row>('select turn, size from log_turns order by seq desc limit 1', []);
  return row ?? null;
}

/** Whether the log's chain has ever named one of these hashes of turns. */
export async function anyTurn(tx: Transaction, turns: readonly string[]): Promise<boolean> {
  return (await tx.query('select 1 from log_turns where turn = any($1) limit 1', [turns])).length > 0;
}

export async function latestCheckpoint(tx: Transaction): Promise<CheckpointRow | undefined> {
  const [row] = await tx.query<CheckpointRow>(`${checkpoints} order by c.size desc limit 1`, []);
  return row;
}

/** The sizes and roots of the checkpoints of the current log, the largest first. */
export function signedCheckpoints(tx: Transaction): Promise<Pick<CheckpointRow, 'size' | 'root'>[]> {
  return tx.query<Pick<CheckpointRow, 'size' | 'root'>>('select size, root from checkpoints order by size desc');
}

/** The size of the last checkpoint that was signed at a time or before; 0 without one. */
export async function checkpointSizeAt(tx: Transaction, ms: number): Promise<number> {
  const [row] = await tx.query<{ size: number }>(
    'select size from checkpoints where signed_at <= $1 order by size desc limit 1',
    [new Date(ms).toISOString()],
  );
  return row?.size ?? 0;
}

export async function checkpointOf(tx: Transaction, size: number): Promise<CheckpointRow | undefined> {
  const [row] = await tx.query<CheckpointRow>(`${checkpoints} where c.size = $1`, [size]);
  return row;
}

/**
 * Checkpoints in these states of anchoring, in random order. If there are more than `limit`, checkpoints that never get an
 * answer therefore cannot prevent requests about the other ones.
 */
export function checkpointsIn(
  tx: Transaction,
  anchors: readonly AnchorState[],
  limit: number,
): Promise<CheckpointRow[]> {
  return tx.query<CheckpointRow>(
    `${checkpoints} where a.state = any($1) and a.state <> 'confirmed' order by random() limit $2`,
    [anchors, limit],
  );
}

/** How often blocks may lose an anchor before its calendars are asked less often, and how often before they are never asked again. */
const losses = { atOnce: 3, most: 12 };

/**
 * The same, of those whose calendars may be asked again. A calendar may name a lost block forever, and each time takes two
 * entries: after the third loss an hour passes, and twice the time after each further one. Later checkpoints show the same.
 */
export function checkpointsToAsk(
  tx: Transaction,
  anchors: readonly AnchorState[],
  now: Date,
  limit: number,
): Promise<CheckpointRow[]> {
  return tx.query<CheckpointRow>(
    `${checkpoints} where a.state = any($1) and a.state <> 'confirmed' and (a.losses < ${losses.atOnce}
        or a.losses < ${losses.most} and a.lost_at + interval '1 hour' * power(2, a.losses - ${losses.atOnce}) <= $3)
      order by random() limit $2`,
    [anchors, limit, now.toISOString()],
  );
}

/** Checkpoints that are confirmed by blocks mined since then, newest block first, because new blocks are replaced most often. */
export function confirmedSince(tx: Transaction, since: string, limit: number): Promise<CheckpointRow[]> {
  return tx.query<CheckpointRow>(
    `${checkpoints} where a.state = 'confirmed' and a.block_time > $1 order by a.height desc, c.size limit $2`,
    [since, limit],
  );
}

/** The number of checkpoints after the last one whose proof names a block. */
export async function unanchoredCheckpoints(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*) as count from checkpoints
      where size > coalesce((select max(size) from anchors where type = 'opentimestamps' and state in ('attested', 'confirmed')), 0)`,
  );
  return row?.count ?? 0;
}

/** The first checkpoint of more than `index` leaves, and the first of these that is confirmed, or otherwise attested. */
export async function checkpointsOver(
  tx: Transaction,
  index: number,
): Promise<{ readonly first: CheckpointRow | undefined; readonly anchored: CheckpointRow | undefined }> {
  const [[first], [anchored]] = await Promise.all([
    tx.query<CheckpointRow>(`${checkpoints} where c.size > $1 order by c.size limit 1`, [index]),
    tx.query<CheckpointRow>(
      `${checkpoints} where c.size = coalesce(
        (select min(size) from anchors where type = 'opentimestamps' and state = 'confirmed' and size > $1),
        (select min(size) from anchors where type = 'opentimestamps' and state = 'attested' and size > $1))`,
      [index],
    ),
  ]);
  return { first, anchored };
}

export interface LeafRow extends Row {
  index: number;
  leaf: string;
  workspace_id: string | null;
  size: number | null;
}

/** The first head of a workspace in the log that covers its entry `seq`. */
export async function headCovering(tx: Transaction, workspaceId: string, seq: number): Promise<LeafRow | undefined> {
  const [row] = await tx.query<LeafRow>(
    `select index, leaf, workspace_id::text, size from log_leaves
      where workspace_id = $1 and size >= $2 order by size limit 1`,
    [workspaceId, seq],
  );
  return row;
}

/** Signing keys among the first `size` leaves, oldest first. */
export function keyLeaves(tx: Transaction, size: number): Promise<LeafRow[]> {
  return tx.query<LeafRow>(
    `select index, leaf, workspace_id::text, size from log_leaves
      where workspace_id is null and index < $1 order by index`,
    [size],
  );
}

/** Leaves `from` to before `to`, in order. */
export function leaves(tx: Transaction, from: number, to: number): Promise<LeafRow[]> {
  return tx.query<LeafRow>(
    `select index, leaf, workspace_id::text, size from log_leaves where index >= $1 and index < $2 order by index`,
    [from, to],
  );
}

/** Whether there is a chain. This is the cheapest query on the tables of the ledger. */
export async function anyChain(tx: Transaction): Promise<boolean> {
  return (await tx.query(`select 1 from ${chainRows} c limit 1`)).length > 0;
}

export interface ChangedHead extends Row {
  workspace_id: string;
  size: number;
  head_hash: string;
  tag_key: Uint8Array;
}

/** Workspaces with entries that no head in the log covers, and the current head of each. */
export function changedHeads(tx: Transaction, limit: number): Promise<ChangedHead[]> {
  return tx.query<ChangedHead>(
    `select c.chain::text as workspace_id, c.head_seq as size, encode(c.head_hash, 'hex') as head_hash, c.tag_key
       from ${chainRows} c
      where c.chain <> $1 and c.head_seq > coalesce(
              (select l.size from log_leaves l where l.workspace_id = c.chain order by l.size desc limit 1), 0)
      order by c.chain limit $2`,
    [logChain, limit],
  );
}

/** The hashes of the leaves `from` up to, but without, `from + count`, as 32 bytes each, one after the other. */
export async function logLeafHashes(tx: Transaction, _tree: string, from: number, count: number): Promise<Uint8Array> {
  const [row] = await tx.query<{ hashes: Uint8Array | null }>(
    `select string_agg(hash, ''::bytea order by index) as hashes from log_leaves where index >= $1 and index < $2`,
    [from, from + count],
  );
  return row?.hashes ?? new Uint8Array();
}
