import { readBlock } from '../../verifier/ethereum/header.js';
import { ethereumLimits } from '../../verifier/ethereum/part.js';
import { readTransactionReceipt } from '../../verifier/ethereum/receipt.js';
import { receiptIn } from '../../verifier/ethereum/trie.js';
import { attempt } from '../../verifier/unreadable.js';
import { encodeHeader } from './encode.js';
import { provedReceipt } from './receipts-of-block.js';
import { NotProvable, readRpc, rpcBlock } from './rpc-values.js';

/** The input of a proof, as a node of Ethereum gives it. Nothing of it is believed. */
interface BlockToProve {
  /** The result of `eth_getBlockByHash`. */
  readonly block: unknown;
  /** The result of `eth_getBlockReceipts`: the receipts of all transactions of the block. */
  readonly receipts: readonly unknown[];
  readonly txIndex: number;
  /** The index of the log within its receipt. JSON-RPC counts logs of the whole block. */
  readonly logIndex: number;
}

/** The members of a bundle's anchor that do not depend on the bundle. Hex is in lowercase after 0x. */
export interface LogProof {
  /** The address that emitted the log. */
  readonly contract: string;
  readonly header: string;
  readonly tx_index: number;
  readonly log_index: number;
  readonly receipt: string;
  readonly proof: readonly string[];
}

/**
 * Makes the proof that a block holds a log.
 * @throws NotProvable when the node's answers do not agree with each other, and for a log that is not there
 */
export async function proofOfLog({ block, receipts, txIndex, logIndex }: BlockToProve): Promise<LogProof> {
  const read = readRpc(rpcBlock, block, 'a block');
  const header = encodeHeader(read);
  const proved = await provedReceipt(read, receipts, txIndex);
  const log = proved?.receipt.logs[logIndex];
  if (!proved || !log) {
    throw new NotProvable(`Block ${read.number} has no log ${logIndex} in the receipt of transaction ${txIndex}.`);
  }
  if (proved.receipt.status !== 1n) {
    throw new NotProvable(`Transaction ${txIndex} of block ${read.number} has failed.`);
  }
  requireReadable(header, txIndex, proved.bytes, proved.proof);
  return {
    contract: hex(log.address),
    header: hex(header),
    tx_index: txIndex,
    log_index: logIndex,
    receipt: hex(proved.bytes),
    proof: proved.proof.map(hex),
  };
}

/** Refuses to make a proof that verifiers refuse, such as one with a receipt that is too long for a bundle. */
function requireReadable(header: Uint8Array, txIndex: number, receipt: Uint8Array, proof: readonly Uint8Array[]): void {
  const read = attempt(() => {
    readTransactionReceipt(receipt);
    return receiptIn(readBlock(header).receiptsRoot, txIndex, proof);
  });
  const longest = Math.max(...[header, receipt, ...proof].map(({ length }) => length));
  if (typeof read === 'string') throw new NotProvable(`A verifier could not read the proof of the anchor: ${read}.`);
  if (longest > ethereumLimits.nodeBytes || proof.length > ethereumLimits.nodes) {
    throw new NotProvable('The proof of the anchor is larger than a bundle may hold.');
  }
}

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;
