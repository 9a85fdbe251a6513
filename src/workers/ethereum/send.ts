import { type EthereumNode, NodeFailed } from '../../adapters/ethereum/node.js';
import type { Fees } from '../../domain/ethereum/fees.js';
import { type Outcome, type SenderParts, waiting } from './parts.js';
import type { StoredTransaction, StoredVariant } from './rows.js';

export function sign(
  { signer }: SenderParts,
  row: Pick<StoredTransaction, 'chainId' | 'nonce' | 'recipient' | 'data' | 'gasLimit'>,
  fees: Fees,
): StoredVariant {
  const { chainId, nonce, recipient, data, gasLimit } = row;
  const { raw, hash } = signer.sign({
    chainId,
    nonce,
    to: recipient,
    data,
    gasLimit,
    maxFeePerGas: fees.maxFee,
    maxPriorityFeePerGas: fees.priorityFee,
  });
  return { txHash: hash, raw, ...fees };
}

/** @returns the outcome when the node does not take it; null when it has it */
export async function send(node: EthereumNode, variant: StoredVariant | undefined): Promise<Outcome | null> {
  if (variant === undefined) throw new Error('a transaction without a signed form');
  try {
    await node.send(variant.raw);
    return null;
  } catch (error) {
    if (!(error instanceof NodeFailed) || error.fault === 'unavailable') throw error;
    // It has the transaction, or a block has used the nonce since: the next look shows which.
    if (error.fault === 'already known' || error.fault === 'nonce too low') return null;
    // Fees are raised when the transaction is stuck.
    if (error.fault === 'underpriced') return null;
    return waiting(error.message);
  }
}
