import type { Row, Transaction } from '../../src/database/database.js';
import type { EthereumAnchorRow, ShownState } from './ethereum-anchors.js';
import type { AnchorState } from './queries.js';

/** A checkpoint with the states of its anchors, without their proofs. */
export interface AnchoredCheckpoint extends Row {
  size: number;
  /** In hex. */
  root: string;
  note: string;
  signed_at: string;
  ots: AnchorState;
  submitted_at: string | null;
  height: number | null;
  block_hash: string | null;
  block_time: string | null;
  /** Null, as all that follows, for a checkpoint that is not on Ethereum. */
  ethereum: ShownState | null;
  chain_id: number | null;
  contract: EthereumAnchorRow['contract'] | null;
  tx_hash: EthereumAnchorRow['tx_hash'] | null;
  ethereum_block_number: number | null;
  ethereum_block_hash: string | null;
  ethereum_block_time: string | null;
}

/** The signed checkpoints of the log, the largest first: those of less than `before` leaves. */
export function anchoredCheckpoints(
  tx: Transaction,
  before: number | null,
  limit: number,
): Promise<AnchoredCheckpoint[]> {
  return tx.query<AnchoredCheckpoint>(
    `select c.size, encode(c.root, 'hex') as root, c.note, c.signed_at, coalesce(a.state, 'pending') as ots, a.submitted_at,
            a.height, a.block_hash, a.block_time,
            case when e.state = 'final' and e.header is null then 'unproved' else e.state end as ethereum, e.chain_id,
            e.contract, e.tx_hash, e.block_number as ethereum_block_number, e.block_hash as ethereum_block_hash,
            e.block_time as ethereum_block_time
       from checkpoints c left join anchors a on a.size = c.size and a.type = 'opentimestamps'
       left join ethereum_anchors e on e.size = c.size
      where $1::bigint is null or c.size < $1 order by c.size desc limit $2`,
    [before, limit],
  );
}
