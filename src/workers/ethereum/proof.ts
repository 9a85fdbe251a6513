import type { Bodies } from '../../../contracts/entries/entry.js';
import type { EthereumNode } from '../../adapters/ethereum/node.js';
import { readReceipt } from '../../adapters/ethereum/shapes.js';
import { isAnchorLog } from '../../domain/ethereum/anchor-contract.js';
import { encodeHeader } from '../../domain/ethereum/encode.js';
import type { Inclusion } from '../../domain/ethereum/next-step.js';
import { proofOfLog } from '../../domain/ethereum/proof-of-log.js';
import { provedReceipt } from '../../domain/ethereum/receipts-of-block.js';
import { NotProvable, readRpc, rpcBlock } from '../../domain/ethereum/rpc-values.js';
import { orUnknown } from './held.js';
import type { Wanted } from './parts.js';

export type LogProof = NonNullable<Bodies['anchor.final']['proof']>;
type AnchorCall = Pick<Wanted, 'recipient' | 'data'>;

/** Thrown when the receipts of a block, which are those of its header, show that the block does not hold the anchor. */
export class NotInBlock extends NotProvable {}

/**
 * Makes the proof of an anchor in its block, and checks it against the hash of the header.
 * @returns null when the node does not know the method that answers all receipts of a block: another node may
 * @throws NodeFailed while the node does not answer; NotInBlock; NotProvable when its answers are not those of the block
 */
export async function proofOfAnchor(
  node: EthereumNode,
  call: AnchorCall,
  { txHash, blockHash }: Pick<Inclusion, 'txHash' | 'blockHash'>,
): Promise<LogProof | null> {
  const [block, receipts] = await Promise.all([node.header(blockHash), orUnknown(node.receipts(blockHash))]);
  if (receipts === null) return null;
  const read = readRpc(rpcBlock, block, 'a block');
  if (`0x${read.hash.toString('hex')}` !== blockHash) {
    throw new NotProvable('The node gave another block than the one that holds the anchor.');
  }
  encodeHeader(read);
  const place = placeOf(receipts, call, txHash);
  if (place === null) {
    await provedReceipt(read, receipts, 0);
    throw new NotInBlock(`Block ${read.number} does not hold the anchor.`);
  }
  const { header, tx_index, log_index, receipt, proof } = await proofOfLog({ block, receipts, ...place });
  return { header, tx_index, log_index, receipt, nodes: proof };
}

/**
 * Where the event of the call is. The hashes of transactions are no part of receipts as they are hashed, so they only decide between
 * events of the same checkpoint.
 */
function placeOf(receipts: readonly unknown[], { recipient, data }: AnchorCall, txHash: string) {
  const places = receipts.map(readReceipt).map((receipt, txIndex) => ({
    txIndex,
    logIndex: receipt?.logs.findIndex((log) => isAnchorLog(log, recipient, data)) ?? -1,
    isOurs: receipt?.txHash === txHash,
  }));
  const found = places.filter(({ logIndex }) => logIndex >= 0);
  const { txIndex, logIndex } = found.find(({ isOurs }) => isOurs) ?? found[0] ?? {};
  return txIndex === undefined || logIndex === undefined ? null : { txIndex, logIndex };
}
