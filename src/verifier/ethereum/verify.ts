import { equal, toHex } from '../bytes.js';
import { Unreadable } from '../unreadable.js';
import { type AnchoredCheckpoint, faultOfEvent } from './event.js';
import { type BlockOfEthereum, readBlock } from './header.js';
import type { EthereumPart } from './part.js';
import { readTransactionReceipt } from './receipt.js';
import { receiptIn } from './trie.js';
import type { TrustedBlocks } from './trusted-blocks.js';

/** The result of checking one anchor on Ethereum. */
export type BlockClaim =
  | { readonly state: 'failed'; readonly reason: string }
  | {
      /** The block holds the anchor in both states. It is verified when the reader trusts the block. */
      readonly state: 'verified' | 'not checked';
      /** Why the block is trusted, or why it is not. */
      readonly reason: string;
      readonly block: BlockOfEthereum;
      readonly part: EthereumPart;
    };

/**
 * Checks whether a block of Ethereum holds the anchor of a checkpoint, and whether the reader trusts that block. It does not
 * throw: a part that cannot be read has failed.
 */
export function verifyPart(part: EthereumPart, checkpoint: AnchoredCheckpoint, trusted: TrustedBlocks): BlockClaim {
  try {
    const block = readBlock(part.header);
    const fault = faultOfAnchor(part, block, checkpoint) ?? faultOfContract(part, trusted);
    if (fault !== null) return failed(fault);
    const { state, reason } = trustIn(block, part.chainId, trusted);
    return state === 'failed' ? { state, reason } : { state, reason, block, part };
  } catch (error) {
    if (error instanceof Unreadable) return failed(error.message);
    throw error;
  }
}

/** @throws Unreadable */
function faultOfAnchor(part: EthereumPart, block: BlockOfEthereum, checkpoint: AnchoredCheckpoint): string | null {
  const { transaction, receipt, log: index } = part;
  if (!equal(receiptIn(block.receiptsRoot, transaction, part.proof), receipt)) {
    return 'the receipt is not the one that the block has';
  }
  const { succeeded, logs } = readTransactionReceipt(receipt);
  if (!succeeded) return 'the transaction has failed';
  const log = logs[index];
  if (!log) return `the receipt has no log ${index}`;
  if (!equal(log.address, part.contract)) return 'the event is of another contract than the anchor says';
  return faultOfEvent(log, checkpoint);
}

function faultOfContract({ contract }: EthereumPart, { contract: expected }: TrustedBlocks): string | null {
  if (!expected || equal(contract, expected)) return null;
  return `the contract is 0x${toHex(contract)}, and 0x${toHex(expected)} is expected`;
}

function trustIn({ hash, number }: BlockOfEthereum, chainId: number, { hashes, node }: TrustedBlocks) {
  const wanted = toHex(hash);
  if (hashes?.has(wanted)) {
    return verified('You trust this block, and that it is on this chain only the bundle says');
  }
  if (!node) return notChecked(hashes ? 'It is not among the blocks that you trust' : 'No trusted block was given');
  const found = node.hashAt(number);
  const isOwnChain = node.chainId === chainId;
  const isSettled = node.settledUntil >= number;
  if (found === wanted && isOwnChain) {
    return verified(`Your node has this block on its chain${isSettled ? '' : ', where it is not finalized yet'}`);
  }
  if (found === wanted) return failed(`the block is on chain ${node.chainId}, and the anchor says chain ${chainId}`);
  if (!isOwnChain) return notChecked(`Your node is on chain ${node.chainId}`);
  if (found === undefined) return notChecked('Your node has given no block with this number');
  const other = `our node has another block ${number} on its chain, 0x${found}`;
  return isSettled ? failed(`y${other}`) : notChecked(`Y${other}, which is not finalized yet and may be replaced`);
}

const verified = (reason: string) => ({ state: 'verified', reason }) as const;
const notChecked = (reason: string) => ({ state: 'not checked', reason }) as const;
const failed = (reason: string) => ({ state: 'failed', reason }) as const;
