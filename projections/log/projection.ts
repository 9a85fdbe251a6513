import { createHash } from 'node:crypto';
import type { Bodies } from '../../contracts/entries/entry.js';
import type { RecordedOf } from '../../contracts/entries/recorded.js';
import type { Transaction } from '../../src/database/database.js';
import { each, insertRows, type Projection } from '../projection.js';
import { endLog, formerDdl, formerTables } from './former.js';

/**
 * The transparency log: its leaves, who may sign it, the signed checkpoints over them, and the anchors of the checkpoints. A second leaf with
 * the same index violates the primary key, and its append fails, so two writers cannot use one index.
 */
export const logProjection: Projection = {
  name: 'log',
  version: 6,
  tables: ['log_leaves', 'log_turns', 'checkpoints', 'anchors', 'ethereum_anchors', ...formerTables],
  reveals: {},
  ddl: `
    create table log_leaves (
      index bigint primary key,
      leaf text collate "C" not null,
      hash bytea not null,
      workspace_id uuid,
      size bigint,
      unique (workspace_id, size)
    );
    create table log_turns (
      seq bigint primary key,
      turn text collate "C" not null,
      size bigint not null,
      root text collate "C",
      reason text collate "C" not null
    );
    create table checkpoints (
      size bigint primary key,
      root bytea not null,
      note text not null,
      signed_at timestamptz not null
    );
    create table anchors (
      size bigint not null,
      type text collate "C" not null,
      state text collate "C" not null,
      digest text collate "C" not null,
      promised bytea,
      proof bytea,
      submitted_at timestamptz not null,
      heights bigint[] not null,
      height bigint,
      header bytea,
      block_hash text collate "C",
      block_time timestamptz,
      losses int not null,
      lost_at timestamptz,
      primary key (size, type)
    );
    create table ethereum_anchors (
      size bigint primary key,
      state text collate "C" not null,
      digest text collate "C" not null,
      chain_id bigint not null,
      contract text collate "C" not null,
      tx_hash text collate "C" not null,
      block_number bigint not null,
      block_hash text collate "C" not null,
      block_time timestamptz not null,
      header bytea,
      tx_index int,
      log_index int,
      receipt bytea,
      nodes text[]
    );
    create index on log_leaves (index) where workspace_id is null;
    create index on log_turns (turn);
    create index on anchors (type, state, size);
    ${formerDdl}`,
  // One after the other, because an entry about a checkpoint depends on earlier entries about it.
  fold: each({
    'log.key_added': addKeyLeaf,
    'log.key_ended': addKeyLeaf,
    'log.succeeded': async (tx, { entry }) => {
      await endLog(tx, entry.body);
      await insertRows(tx, 'log_leaves', [
        leafRow(0, entry.body.key, null, null),
        leafRow(1, entry.body.leaf, null, null),
      ]);
    },
    'log.heads_added': (tx, { entry }) => {
      const { from, heads } = entry.body;
      const rows = heads.map(({ leaf, workspace_id, size }, i) => leafRow(from + i, leaf, workspace_id, size));
      return insertRows(tx, 'log_leaves', rows);
    },
    'log.turn': (tx, { entry }) => {
      const { turn, size, root = null, reason } = entry.body;
      return insertRows(tx, 'log_turns', [{ seq: entry.seq, turn, size, root, reason }]);
    },
    'checkpoint.signed': (tx, { entry }) => {
      const { size, root, note } = entry.body;
      const row = { size, root: `\\x${root}`, note, signed_at: entry.recorded_at };
      return insertRows(tx, 'checkpoints', [row]);
    },
    'checkpoint.cosigned': (tx, { entry }) =>
      tx.query('update checkpoints set note = $2 where size = $1', [entry.body.size, entry.body.note]),
    'anchor.submitted': (tx, { entry }) => submitted(tx, entry.body, entry.recorded_at),
    'anchor.attested': (tx, { entry }) =>
      update(tx, entry.body, `state = 'attested', proof = decode($3, 'base64'), heights = $4`, [
        entry.body.ots,
        entry.body.heights,
      ]),
    'anchor.confirmed': (tx, { entry }) => {
      const { height, header, block_hash, block_time } = entry.body;
      const set = `state = 'confirmed', height = $3, header = decode($4, 'hex'), block_hash = $5, block_time = $6`;
      return update(tx, entry.body, set, [height, header, block_hash, block_time]);
    },
    'anchor.mined': (tx, { entry }) => mined(tx, entry.body),
    'anchor.final': (tx, { entry }) => final(tx, entry.body),
    'anchor.lost': lost,
  }),
};

function addKeyLeaf(tx: Transaction, { entry }: RecordedOf<'log.key_added' | 'log.key_ended'>): Promise<void> {
  return insertRows(tx, 'log_leaves', [leafRow(entry.body.index, entry.body.leaf, null, null)]);
}

async function lost(tx: Transaction, { entry }: RecordedOf<'anchor.lost'>): Promise<void> {
  if (entry.body.type === 'ethereum') return lostOnEthereum(tx, entry.body);
  // The anchor goes back to the promise of the calendars, which will name another block.
  const set = `state = 'submitted', proof = promised, heights = '{}', height = null, header = null,
    block_hash = null, block_time = null`;
  await update(tx, entry.body, `${set}, losses = losses + 1, lost_at = $3`, [entry.recorded_at]);
}

/** The proof of an anchor on Ethereum is not known before its block is final. */
const noProof = 'header = null, tx_index = null, log_index = null, receipt = null, nodes = null';

async function mined(tx: Transaction, body: Bodies['anchor.mined']): Promise<void> {
  const { size, digest, chain_id, contract, tx_hash, block_number, block_hash, block_time } = body;
  await tx.query(
    `insert into ethereum_anchors (size, state, digest, chain_id, contract, tx_hash, block_number, block_hash, block_time)
     values ($1, 'mined', $2, $3, $4, $5, $6, $7, $8)
     on conflict (size) do update set state = excluded.state, digest = excluded.digest, chain_id = excluded.chain_id,
       contract = excluded.contract, tx_hash = excluded.tx_hash, block_number = excluded.block_number,
       block_hash = excluded.block_hash, block_time = excluded.block_time, ${noProof}`,
    [size, digest, chain_id, contract, tx_hash, block_number, block_hash, block_time],
  );
}

async function final(tx: Transaction, { size, proof }: Bodies['anchor.final']): Promise<void> {
  await tx.query(`update ethereum_anchors set state = 'final' where size = $1`, [size]);
  if (proof === null) return;
  await tx.query(
    `update ethereum_anchors set header = decode($2, 'hex'), tx_index = $3, log_index = $4, receipt = decode($5, 'hex'),
       nodes = $6 where size = $1`,
    [size, proof.header.slice(2), proof.tx_index, proof.log_index, proof.receipt.slice(2), proof.nodes],
  );
}

/** The row remains, because it says on which chain this store anchors. */
async function lostOnEthereum(tx: Transaction, { size }: Bodies['anchor.lost']): Promise<void> {
  await tx.query(`update ethereum_anchors set state = 'lost', ${noProof} where size = $1`, [size]);
}

interface Anchored {
  readonly size: number;
  readonly type?: 'opentimestamps' | 'ethereum' | undefined;
}

/** The primary key of an anchor. Entries without a type, from earlier versions, are about OpenTimestamps. */
const keyOf = ({ size, type = 'opentimestamps' }: Anchored) => [size, type] as const;

async function submitted(tx: Transaction, body: Bodies['anchor.submitted'], at: string) {
  await tx.query(
    `insert into anchors (size, type, state, digest, promised, proof, submitted_at, heights, losses)
     values ($1, $2, 'submitted', $3, decode($4, 'base64'), decode($4, 'base64'), $5, '{}', 0)
     on conflict (size, type) do update set state = excluded.state, digest = excluded.digest, promised = excluded.promised,
       proof = excluded.proof, submitted_at = excluded.submitted_at`,
    [...keyOf(body), body.digest, body.ots, at],
  );
}

function leafRow(index: number, leaf: string, workspaceId: string | null, size: number | null) {
  const hash = createHash('sha256').update(Uint8Array.of(0)).update(leaf, 'utf8').digest('hex');
  return { index, leaf, hash: `\\x${hash}`, workspace_id: workspaceId, size };
}

async function update(
  tx: Transaction,
  body: Anchored,
  set: string,
  values: readonly (string | number | readonly number[])[],
): Promise<void> {
  await tx.query(`update anchors set ${set} where size = $1 and type = $2`, [...keyOf(body), ...values]);
}
