import { type EthereumNode, NodeFailed } from '../../adapters/ethereum/node.js';
import { CannotStart } from '../start-faults.js';

/** The answer of the node, or a sentence about its failure with what that means for the command. @throws CannotStart */
export async function answered<T>(answer: Promise<T>, meaning: string): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof NodeFailed)) throw error;
    const subject = error.fault === 'unavailable' ? 'The Ethereum node is not available' : 'The Ethereum node says no';
    throw new CannotStart(`${subject}: ${error.message}. ${meaning}`);
  }
}

/** @throws CannotStart when the node is of another chain */
export async function requireChain(node: EthereumNode, chainId: number, meaning: string): Promise<void> {
  const actual = await answered(node.chainId(), meaning);
  if (actual === chainId) return;
  throw new CannotStart(`The Ethereum node is of chain ${actual}, and ETH_CHAIN_ID is ${chainId}. ${meaning}`);
}
