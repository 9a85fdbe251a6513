import {
  type EthereumBlock,
  type EthereumNode,
  type EthereumReceipt,
  NodeFailed,
} from '../../adapters/ethereum/node.js';
import type { FeeMarket } from '../../domain/ethereum/fees.js';
import type { Inclusion, Seen } from '../../domain/ethereum/next-step.js';
import { requireHeld } from './held.js';
import type { FindNonceUser } from './nonce-user.js';
import type { StoredTransaction } from './rows.js';

/** A number of blocks, or the chain's own finality. */
export type Confirmations = number | 'finalized';

interface ChainView {
  readonly head: EthereumBlock;
  /** The number of the newest block that counts as final; null while there is none. */
  readonly finalHead: number | null;
}

/** Where a chain is. The block of a transaction counts among its confirmations. */
export async function viewChain(node: EthereumNode, confirmations: Confirmations): Promise<ChainView> {
  const head = await node.block('latest');
  if (head === null) throw new NodeFailed('unavailable', 'it has no newest block');
  if (confirmations !== 'finalized') {
    const finalHead = head.number - confirmations + 1;
    return { head, finalHead: finalHead < 0 ? null : finalHead };
  }
  const final = await node.block('finalized');
  if (final !== null && final.number > head.number) {
    throw new NodeFailed('unavailable', 'its newest final block is newer than its newest block');
  }
  return { head, finalHead: final?.number ?? null };
}

export async function viewMarket(node: EthereumNode, { head }: ChainView): Promise<FeeMarket> {
  if (head.baseFee === null) throw new NodeFailed('refused', 'its chain has no base fee (EIP-1559)');
  return { baseFee: head.baseFee, priorityFee: await node.priorityFee() };
}

/** Whether a receipt shows that a transaction has done its work. */
export type IsDone = (receipt: EthereumReceipt, row: StoredTransaction) => boolean;

/** Everything that the next step of a transaction depends on, except for what earlier looks have seen. */
export async function look(
  node: EthereumNode,
  row: StoredTransaction,
  view: ChainView,
  isDone: IsDone,
  userOf: FindNonceUser,
): Promise<Omit<Seen, 'looks' | 'sentAt'>> {
  const { head, finalHead } = view;
  const [nonce, market] = await Promise.all([node.transactionCount(row.account, 'latest'), viewMarket(node, view)]);
  const seen = { head: head.number, finalHead, nonce, market };
  if (row.inclusion !== null) {
    return { ...seen, user: 'open', inclusion: null, storedBlock: await storedBlock(node, row.inclusion) };
  }
  // While the nonce is free, no block holds any of the variants.
  const inclusion = nonce > row.nonce ? await inclusionOf(node, row, isDone) : null;
  const isUnexplained = nonce > row.nonce && inclusion === null;
  const used = { account: row.account, nonce: row.nonce, ours: row.variants.map(({ txHash }) => txHash) };
  const user = isUnexplained ? await userOf(used, finalHead) : 'open';
  return { ...seen, user, inclusion, storedBlock: 'not looked at' };
}

/** Whether the chain has at this place the block that a row names. */
export async function storedBlock(
  node: EthereumNode,
  { blockNumber, blockHash }: Pick<Inclusion, 'blockNumber' | 'blockHash'>,
): Promise<Seen['storedBlock']> {
  const block = await node.block(blockNumber);
  // The node is behind the block.
  if (block === null) return 'not looked at';
  return block.hash === blockHash ? 'in the chain' : 'replaced';
}

/**
 * The block that holds a variant, as far as the node shows it: its header has its hash, and its receipts are under the header's root.
 * It begins with the newest variants, because these are mined most often.
 * @throws NodeFailed, NotProvable for answers that do not agree with each other
 */
export async function inclusionOf(
  node: EthereumNode,
  row: StoredTransaction,
  isDone: IsDone,
): Promise<Inclusion | null> {
  for (const variant of row.variants.toReversed()) {
    const receipt = await node.receipt(variant.txHash);
    if (receipt === null) continue;
    const block = await node.block(receipt.blockNumber);
    // The node is in the middle of a reorganisation, or several nodes answer.
    if (block === null || block.hash !== receipt.blockHash) return null;
    requireAgreement(receipt, block, row, variant.maxFee);
    await requireHeld(node, block, receipt);
    return {
      txHash: variant.txHash,
      blockNumber: block.number,
      blockHash: block.hash,
      blockTime: new Date(block.timestamp * 1000).toISOString(),
      succeeded: receipt.succeeded && isDone(receipt, row),
      paid: receipt.gasUsed * receipt.gasPrice,
    };
  }
  return null;
}

/** @throws NodeFailed for a receipt that cannot be true */
function requireAgreement(
  receipt: EthereumReceipt,
  block: EthereumBlock,
  row: StoredTransaction,
  maxFee: bigint,
): void {
  const wrong = (what: string) => new NodeFailed('unavailable', `it gave a receipt ${what}`);
  if (block.transactions[receipt.txIndex] !== receipt.txHash) throw wrong('that is not of the block that it names');
  if (receipt.from !== row.account || receipt.to !== row.recipient) throw wrong('of another transaction');
  if (receipt.gasUsed > row.gasLimit || receipt.gasPrice > maxFee)
    throw wrong('that costs more than its transaction allows');
  if (block.baseFee !== null && receipt.gasPrice < block.baseFee) throw wrong('that costs less than its block demands');
  if (receipt.succeeded && receipt.contractAddress !== null) throw wrong('of a new contract');
}
