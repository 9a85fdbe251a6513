import {
  type EthereumBlock,
  type EthereumLog,
  type EthereumNode,
  type EthereumReceipt,
  NodeFailed,
} from '../../adapters/ethereum/node.js';
import { type ProvedReceipt, provedReceipt } from '../../domain/ethereum/receipts-of-block.js';

/**
 * Requires that a block holds a receipt, under the root that its header names. What is written to the ledger about a transaction
 * depends on it: a receipt alone is only a claim of the node. A node that does not know the method is believed, as it cannot
 * show more, and the anchor is then shown as one without a proof.
 * @throws NodeFailed while the node does not show it; NotProvable when its answers are not those of the block
 */
export async function requireHeld(node: EthereumNode, block: EthereumBlock, receipt: EthereumReceipt): Promise<void> {
  const receipts = await orUnknown(node.receipts(block.hash));
  if (receipts === null) return;
  const header = { number: block.number, receiptsRoot: Buffer.from(block.receiptsRoot.slice(2), 'hex') };
  const proved = await provedReceipt(header, receipts, receipt.txIndex);
  if (proved !== null && isSame(receipt, proved)) return;
  throw new NodeFailed('unavailable', `it gave a receipt that is not the one of block ${block.number}`);
}

/** Null where the node does not know the method: everything else may pass. */
export async function orUnknown<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NodeFailed && error.fault === 'unknown method') return null;
    throw error;
  }
}

/** Compares what is hashed in a receipt. The rest of it has no proof, and is only bounded. */
function isSame({ succeeded, gasUsed, logs }: EthereumReceipt, { receipt, gasUsed: proved }: ProvedReceipt): boolean {
  const held = receipt.logs.map(({ address, topics, data }) => logOf(hex(address), topics.map(hex), hex(data)));
  const claimed = logs.map(({ address, topics, data }) => logOf(address, topics, data));
  return succeeded === (receipt.status === 1n) && gasUsed === proved && held.join() === claimed.join();
}

const logOf = (address: string, topics: EthereumLog['topics'], data: string) => [address, ...topics, data].join(' ');
const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;
