import { type EthereumAnchorRow, unprovedEthereumAnchorOver } from '../../../projections/log/ethereum-anchors.js';
import { type CheckpointRow, checkpointOf, logState } from '../../../projections/log/queries.js';
import { NodeFailed } from '../../adapters/ethereum/node.js';
import type { Database } from '../../database/database.js';
import { anchorCall } from '../../domain/ethereum/anchor-contract.js';
import { NotProvable } from '../../domain/ethereum/rpc-values.js';
import { whileLogMoves } from '../../tlog/record.js';
import type { Lease } from '../lease.js';
import type { Job } from '../loop.js';
import { type AnchorParts, argumentsOf } from './anchors.js';
import { requireChain, type SenderSetting } from './parts.js';
import { type LogProof, NotInBlock, proofOfAnchor } from './proof.js';
import { moveTransaction, transactionWith } from './rows.js';

type Parts = Pick<AnchorParts, 'database' | 'node' | 'record'> & {
  readonly setting: Pick<SenderSetting, 'chainId'>;
  /** Of the process that anchors, which is held as long as that works. */
  readonly lease: Lease;
};

interface Unproved {
  readonly anchor: EthereumAnchorRow;
  readonly checkpoint: CheckpointRow;
}

const napMs = 60_000;

/**
 * Proves the anchors that became final while the node could not show a proof, as soon as a node can: one in each step, each of them equally often.
 * An anchor that a node shows not to be in its block is sent again: an earlier node has said something wrong.
 */
export function provingLater({ database, node, record, setting, lease }: Parts): Job {
  /** The size of the checkpoint that was tried last. */
  let last = 0;

  async function outcomeOf({ anchor, checkpoint }: Unproved): Promise<LogProof | 'not in the block' | null> {
    try {
      await requireChain(node, setting);
      const call = { recipient: anchor.contract, data: anchorCall(argumentsOf(checkpoint)) };
      return await proofOfAnchor(node, call, { txHash: anchor.tx_hash, blockHash: anchor.block_hash });
    } catch (error) {
      if (error instanceof NotInBlock) return 'not in the block';
      // The sender of transactions asks the same node, and reports it.
      if (error instanceof NodeFailed || error instanceof NotProvable) return null;
      throw error;
    }
  }

  async function recordProof({ size, block_hash }: EthereumAnchorRow, proof: LogProof): Promise<void> {
    await whileLogMoves(async () => {
      const { head, anchor } = await database.read(async (tx) => ({
        head: (await logState(tx)).head,
        anchor: await unprovedEthereumAnchorOver(tx, size - 1),
      }));
      if (anchor?.size !== size || anchor.block_hash !== block_hash) return;
      await record(head, { kind: 'anchor.final', body: { type: 'ethereum', size, block_hash, proof } });
    });
  }

  return {
    name: 'proofs of anchors on Ethereum',
    napMs,
    async work() {
      const unproved = await nextAfter(database, last);
      if (unproved === undefined || !(await lease.take())) return false;
      last = unproved.anchor.size;
      const outcome = await outcomeOf(unproved);
      if (outcome === null) return false;
      if (outcome === 'not in the block') return sendAgain(database, lease, unproved.anchor);
      await recordProof(unproved.anchor, outcome);
      return true;
    },
  };
}

function nextAfter(database: Database, last: number): Promise<Unproved | undefined> {
  return database.read(async (tx) => {
    const anchor = (await unprovedEthereumAnchorOver(tx, last)) ?? (await unprovedEthereumAnchorOver(tx, 0));
    const checkpoint = anchor && (await checkpointOf(tx, anchor.size));
    return checkpoint && { anchor, checkpoint };
  });
}

/** The sender records the loss, and sends the same bytes again. @returns whether the transaction is one of this store */
function sendAgain(database: Database, lease: Lease, { tx_hash, block_hash }: EthereumAnchorRow): Promise<boolean> {
  return database.transaction(async (tx) => {
    const row = await transactionWith(tx, tx_hash);
    if (row?.state !== 'done' || row.inclusion?.blockHash !== block_hash || !(await lease.keep(tx))) return false;
    return moveTransaction(tx, row, 'sent', null);
  });
}
