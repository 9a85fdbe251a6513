import type { Bodies } from '../../../contracts/entries/entry.js';
import { type EthereumNode, NodeFailed } from '../../adapters/ethereum/node.js';
import { readReceipt } from '../../adapters/ethereum/shapes.js';
import { isAnchorLog } from '../../domain/ethereum/anchor-call.js';
import type { Inclusion } from '../../domain/ethereum/next-step.js';
import { proofOfLog } from '../../domain/ethereum/proof-of-log.js';
import { NotProvable } from '../../domain/ethereum/rpc-values.js';
import { fromHex } from '../../verifier/bytes.js';
import { readBlock } from '../../verifier/ethereum/header.js';
import type { StoredTransaction } from './rows.js';

type LogProof = NonNullable<Bodies['anchor.final']['proof']>;

/** Makes the proof of an anchor in its final block. @throws NodeFailed, NotProvable; null when no proof can be made */
export type Prove = (row: StoredTransaction, inclusion: Inclusion) => Promise<LogProof | null>;

/** Attempts while the node answers other questions. A node that is away is waited for without end. */
const attempts = 10;

/**
 * A proof that was checked against the hash of the header. Some nodes cannot give all receipts of a block, and some chains have
 * receipts of their own: there the anchor is final without a proof.
 */
export function provedLog(node: EthereumNode, onUnproved: (blockHash: string, reason: string) => void): Prove {
  let failed = { blockHash: '', times: 0 };
  return async (row, inclusion) => {
    const { blockHash } = inclusion;
    try {
      return await proofOf(node, row, inclusion);
    } catch (error) {
      if (!(error instanceof NodeFailed || error instanceof NotProvable)) throw error;
      // Does it answer at all?
      await node.chainId();
      failed = { blockHash, times: failed.blockHash === blockHash ? failed.times + 1 : 1 };
      if (failed.times < attempts) throw error;
      onUnproved(blockHash, error.message);
      return null;
    }
  };
}

/** Finds a node that hides the event of an anchor in one answer and shows it in another. A proof that cannot be made is none. */
export function provesAnchor(node: EthereumNode) {
  return async (row: StoredTransaction, inclusion: Inclusion): Promise<boolean> => {
    try {
      await proofOf(node, row, inclusion);
      return true;
    } catch (error) {
      if (error instanceof NotProvable || (error instanceof NodeFailed && error.fault !== 'unavailable')) return false;
      throw error;
    }
  };
}

async function proofOf(node: EthereumNode, { recipient, data }: StoredTransaction, { txHash, blockHash }: Inclusion) {
  const [block, receipts] = await Promise.all([node.header(blockHash), node.receipts(blockHash)]);
  const read = receipts.map(readReceipt);
  const txIndex = read.findIndex((receipt) => receipt?.txHash === txHash);
  const logIndex = read[txIndex]?.logs.findIndex((log) => isAnchorLog(log, recipient, data)) ?? -1;
  if (logIndex < 0) throw new NotProvable('The node gave receipts of the block without the anchor.');
  const { header, tx_index, log_index, receipt, proof } = await proofOfLog({ block, receipts, txIndex, logIndex });
  const { hash } = readBlock(fromHex(header.slice(2)));
  if (`0x${Buffer.from(hash).toString('hex')}` !== blockHash) {
    throw new NotProvable('The node gave another block than the one that holds the anchor.');
  }
  return { header, tx_index, log_index, receipt, nodes: proof };
}
