import type { EthereumNode } from '../../adapters/ethereum/node.js';
import { storedBlock } from './look.js';
import type { SettledBlock } from './rows.js';

/** How long the block of a transaction is looked at again after it was final: a chain may replace more blocks than anyone waits for. */
export const lookedAtMs = 86_400_000;

/**
 * Finds the first block that the chain does not have any more. A block names the hash of the one before it, so while the chain has
 * the newest block that was found, it also has those that were found before it, and the node is not asked about them.
 */
export function createGoneSearch(node: EthereumNode) {
  let found = new Set<string>();
  let newest: SettledBlock | null = null;

  return async (blocks: readonly SettledBlock[]): Promise<SettledBlock | null> => {
    if (newest === null || (await storedBlock(node, newest)) !== 'in the chain') found = new Set();
    const still = new Set<string>();
    for (const block of blocks) {
      const where = found.has(block.blockHash) ? 'in the chain' : await storedBlock(node, block);
      if (where === 'replaced') return block;
      if (where === 'not looked at') continue;
      still.add(block.blockHash);
      newest = block;
    }
    found = still;
    return null;
  };
}
