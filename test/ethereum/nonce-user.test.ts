import { expect, it } from 'vitest';
import { type EthereumNode, NodeFailed, openNode } from '../../src/adapters/ethereum/node.js';
import { createNonceSearch } from '../../src/workers/ethereum/nonce-user.js';

const account = `0x${'ab'.repeat(20)}`;
const [our, other] = [`0x${'01'.repeat(32)}`, `0x${'02'.repeat(32)}`];
const sentBy = (from: string, nonce: number, hash: string) => ({ from, nonce, hash });

/** A node on whose chain the account has used the nonces from 6 to 8 in block `at`. */
function nodeWith(at: number, hash: string, changes: Partial<EthereumNode> = {}) {
  const asked = { counts: 0 };
  const node: EthereumNode = {
    ...openNode('http://127.0.0.1:1'),
    async transactionCount(_, block) {
      asked.counts += 1;
      return Number(block) >= at ? 9 : 6;
    },
    transactions: async (block) =>
      block === at ? [sentBy(`0x${'cd'.repeat(20)}`, 7, our), sentBy(account, 6, our), sentBy(account, 7, hash)] : [],
    ...changes,
  };
  return { asked, node };
}

const fails = (fault: 'refused' | 'unavailable') => async () => {
  throw new NodeFailed(fault, 'it has no state of that block');
};

// @covers ETH-FOREIGN-NONCE ETH-LIES
it.each<[string, number, string, number | null, Partial<EthereumNode>, string]>([
  ['is another sender in the final block', 900, other, 900, {}, 'foreign'],
  ['is another sender in the block before', 899, other, 900, {}, 'foreign'],
  ['is another sender in the first block', 1, other, 900, {}, 'foreign'],
  ['is another sender a million blocks ago', 1, other, 2 ** 20, {}, 'foreign'],
  ['is this service', 700, our, 900, {}, 'ours'],
  ['is unknown further back', 1, other, 2 ** 20 + 1, {}, 'unknown'],
  ['is unknown before the first block', 0, other, 900, {}, 'unknown'],
  ['is open while no final block uses it', 901, other, 900, {}, 'open'],
  ['is open while no block is final', 900, other, null, {}, 'open'],
  ['is unknown without old states', 900, other, 900, { transactionCount: fails('refused') }, 'unknown'],
  ['is unknown without the block', 900, other, 900, { transactions: async () => null }, 'unknown'],
  ['is unknown without the transactions', 900, other, 900, { transactions: fails('refused') }, 'unknown'],
  [
    'is unknown when the block has no such transaction',
    900,
    other,
    900,
    { transactions: async () => [sentBy(account, 8, other)] },
    'unknown',
  ],
])('the user of a nonce %s', async (_, at, hash, finalHead, changes, expected) => {
  const { node, asked } = nodeWith(at, hash, changes);
  const userOf = createNonceSearch(node);
  const used = { account, nonce: 7, ours: [our] };
  expect(await userOf(used, finalHead)).toBe(expected);
  expect(asked.counts).toBeLessThanOrEqual(45);
  if (expected !== 'foreign' || finalHead === null) return;
  asked.counts = 0;
  expect(await userOf(used, finalHead + 1)).toBe(expected);
  expect(asked.counts).toBe(3);
});

it('asks a node that is not available again later', async () => {
  const { node } = nodeWith(900, other, { transactions: fails('unavailable') });
  await expect(createNonceSearch(node)({ account, nonce: 7, ours: [] }, 900)).rejects.toThrow(NodeFailed);
});
