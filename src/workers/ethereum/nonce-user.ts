import { type EthereumNode, NodeFailed } from '../../adapters/ethereum/node.js';
import type { NonceUser } from '../../domain/ethereum/next-step.js';

interface UsedNonce {
  readonly account: string;
  readonly nonce: number;
  /** The hashes of the transactions that this service has signed with the nonce. */
  readonly ours: readonly string[];
}

/** Finds out whose transaction has used a nonce in a final block. @throws NodeFailed while the node is not available */
export type FindNonceUser = (used: UsedNonce, finalHead: number | null) => Promise<NonceUser>;

type IsUsedAt = (block: number) => Promise<boolean>;

/** Five months of the main chain. The search asks about some forty blocks at most. */
const mostBlocks = 2 ** 20;

/** Remembers the block that it found last, so that the next look asks about three blocks only. */
export function createNonceSearch(node: EthereumNode): FindNonceUser {
  let last = { account: '', nonce: 0, block: 0 };

  async function blockOf({ account, nonce }: UsedNonce, isUsedAt: IsUsedAt, finalHead: number) {
    const isSame = last.account === account && last.nonce === nonce && last.block <= finalHead;
    if (isSame && (await isUsedAt(last.block)) && !(await isUsedAt(last.block - 1))) return last.block;
    const block = await firstUse(isUsedAt, finalHead);
    if (block !== null) last = { account, nonce, block };
    return block;
  }

  return async (used, finalHead) => {
    if (finalHead === null) return 'open';
    const { account, nonce, ours } = used;
    const isUsedAt: IsUsedAt = async (block) => (await node.transactionCount(account, block)) > nonce;
    try {
      if (!(await isUsedAt(finalHead))) return 'open';
      const block = await blockOf(used, isUsedAt, finalHead);
      const transactions = block === null ? null : await node.transactions(block);
      const user = transactions?.find((transaction) => transaction.from === account && transaction.nonce === nonce);
      if (user === undefined) return 'unknown';
      return ours.includes(user.hash) ? 'ours' : 'foreign';
    } catch (error) {
      // Many nodes have no state of old blocks.
      if (error instanceof NodeFailed && error.fault !== 'unavailable') return 'unknown';
      throw error;
    }
  };
}

/** The block after which the nonce is used, looked for from a block after which it is; null when that is too far back. */
async function firstUse(isUsedAt: IsUsedAt, from: number): Promise<number | null> {
  let used = from;
  for (let distance = 1; distance <= mostBlocks && used > 0; distance *= 2) {
    const before = Math.max(0, from - distance);
    if (!(await isUsedAt(before))) return firstBetween(isUsedAt, before, used);
    used = before;
  }
  return null;
}

async function firstBetween(isUsedAt: IsUsedAt, before: number, after: number): Promise<number> {
  let [free, used] = [before, after];
  while (used - free > 1) {
    const middle = Math.floor((free + used) / 2);
    if (await isUsedAt(middle)) used = middle;
    else free = middle;
  }
  return used;
}
