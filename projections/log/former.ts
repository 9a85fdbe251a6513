import type { Bodies } from '../../contracts/entries/entry.js';
import { treeOfLog } from '../../contracts/log.js';
import type { Row, Transaction } from '../../src/database/database.js';

/**
 * Logs that have lost signed leaves and have ended. Their rows are moved away from those of the current log, so that every
 * other query of this read model is about the current log.
 */
export const formerTables = [
  'former_logs',
  'former_leaves',
  'former_checkpoints',
  'former_anchors',
  'former_ethereum_anchors',
] as const;

/** Behind the tables of the current log, whose columns they have. */
export const formerDdl = `
    create table former_logs (
      log int primary key,
      next int not null unique,
      kept bigint not null,
      leaf text collate "C" not null
    );
    create table former_leaves (log int not null, like log_leaves, primary key (log, index));
    create table former_checkpoints (log int not null, like checkpoints, primary key (log, size));
    create table former_anchors (log int not null, like anchors, primary key (log, size, type));
    create table former_ethereum_anchors (log int not null, like ethereum_anchors, primary key (log, size));
    create index on former_leaves (workspace_id, size);
`;

/** The columns by which rows are below what was kept: leaves by their index, all others by the size of their checkpoint. */
const moved = [
  ['log_leaves', 'former_leaves', 'index < $2'],
  ['checkpoints', 'former_checkpoints', 'size <= $2'],
  ['anchors', 'former_anchors', 'size <= $2'],
  ['ethereum_anchors', 'former_ethereum_anchors', 'size <= $2'],
] as const;

/** Ends the current log. Rows behind what was kept go away; their entries stay in the chain. */
export async function endLog(tx: Transaction, { log, leaf, ended }: Bodies['log.succeeded']): Promise<void> {
  await tx.query('insert into former_logs (log, next, kept, leaf) values ($1, $2, $3, $4)', [
    ended.log,
    log,
    ended.kept,
    leaf,
  ]);
  // The new log has a turn of its own.
  await tx.query('delete from log_turns');
  for (const [from, to, isMoved] of moved) {
    await tx.query(`insert into ${to} select $1::int, one.* from ${from} one where ${isMoved}`, [
      ended.log,
      ended.kept,
    ]);
    await tx.query(`delete from ${from}`);
  }
}

/** A log that has ended. */
export interface FormerLog extends Row {
  /** 1 for the first log of the installation. */
  log: number;
  /** The number of the log that follows it. */
  next: number;
  /** The number of leaves that stay public. */
  kept: number;
  /** The succession that has ended it, as canonical JSON. */
  leaf: string;
}

/** Oldest first. */
export function formerLogs(tx: Transaction): Promise<FormerLog[]> {
  return tx.query<FormerLog>('select log, next, kept, leaf from former_logs order by log', []);
}

/** The number of the current log, and the name of its tree in the tables of trees. */
export async function currentLog(tx: Transaction): Promise<{ readonly log: number; readonly tree: string }> {
  const [row] = await tx.query<{ log: number }>('select coalesce(max(next), 1) as log from former_logs', []);
  const log = row?.log ?? 1;
  return { log, tree: treeOfLog(log) };
}

/** The largest signed note of a former log among those that stay public. */
export async function formerCheckpoint(
  tx: Transaction,
  log: number,
): Promise<{ size: number; note: string } | undefined> {
  const [row] = await tx.query<{ size: number; note: string }>(
    `select c.size, c.note from former_checkpoints c join former_logs f on f.log = c.log and f.kept = c.size where c.log = $1`,
    [log],
  );
  return row;
}

/** Leaves of a former log, `from` to before `to`, in order. */
export function formerLeaves(tx: Transaction, log: number, from: number, to: number): Promise<FormerLeaf[]> {
  return tx.query<FormerLeaf>(
    'select index, leaf from former_leaves where log = $1 and index >= $2 and index < $3 order by index',
    [log, from, to],
  );
}

interface FormerLeaf extends Row {
  index: number;
  leaf: string;
}

/** The leaves of a former log that are about its keys or its beginning, oldest first. */
export function formerKeyLeaves(tx: Transaction, log: number): Promise<FormerLeaf[]> {
  return tx.query<FormerLeaf>(
    'select index, leaf from former_leaves where log = $1 and workspace_id is null order by index',
    [log],
  );
}

/** Reads the hashes of the leaves of a former log, 32 bytes each, one after the other. */
export function formerLeafHashes(log: number) {
  return async (tx: Transaction, _tree: string, from: number, count: number): Promise<Uint8Array> => {
    const [row] = await tx.query<{ hashes: Uint8Array | null }>(
      `select string_agg(hash, ''::bytea order by index) as hashes from former_leaves where log = $1 and index >= $2 and index < $3`,
      [log, from, from + count],
    );
    return row?.hashes ?? new Uint8Array();
  };
}
