// @projects slow
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EthereumNode, NodeFailed } from '../../src/adapters/ethereum/node.js';
import { fsck } from '../../src/maintenance/fsck.js';
import {
  type EthereumAnchoredRow,
  ethereumAnchorFault,
  ethereumColumns,
} from '../../src/tlog/check/ethereum-anchors.js';
import { mainChain } from '../../src/verifier/bitcoin.js';
import { model } from '../maintenance/store.js';
import { newSending, type Sending } from './sending.js';

let sending: Sending;
beforeAll(async () => {
  sending = await newSending();
});
afterAll(() => sending.close());

const otherHash = `0x${'cd'.repeat(32)}`;

/** Nodes that say something else than the real one about one thing. */
const liars: readonly (readonly [string, (real: EthereumNode) => Partial<EthereumNode>])[] = [
  ['names another chain', () => ({ chainId: async () => 1 })],
  ['has no newest block', ({ block }) => ({ block: async (at) => (at === 'latest' ? null : block(at)) })],
  ['names a block of its own', ({ receipt }) => ({ receipt: changed(receipt, { blockHash: otherHash }) })],
  ['names a sender of its own', ({ receipt }) => ({ receipt: changed(receipt, { from: `0x${'ab'.repeat(20)}` }) })],
  ['names absurd costs', ({ receipt }) => ({ receipt: changed(receipt, { gasPrice: 10n ** 30n }) })],
  ['names absurd gas', ({ receipt }) => ({ receipt: changed(receipt, { gasUsed: 10n ** 9n }) })],
  ['names a place of another transaction', ({ receipt }) => ({ receipt: changed(receipt, { txIndex: 3 }) })],
  ['has no receipt', () => ({ receipt: async () => null })],
  [
    'has no receipt and no old states',
    ({ transactionCount }) => withoutReceipts({ transactionCount: fresh(transactionCount) }),
  ],
  ['has no receipt and no transactions', () => withoutReceipts({ transactions: async () => [] })],
  ['has no receipt and is late then', () => withoutReceipts({ transactions: late })],
  ['is late with receipts', () => ({ receipt: late })],
  ['has a receipt without the event', ({ receipt }) => ({ receipt: changed(receipt, { logs: [] }) })],
  ['says that the transaction has failed', ({ receipt }) => ({ receipt: changed(receipt, { succeeded: false }) })],
  ['has blocks without the transaction', ({ block }) => ({ block: changed(block, { transactions: [] }) })],
];

const withoutReceipts = (lie: Partial<EthereumNode>): Partial<EthereumNode> => ({ receipt: async () => null, ...lie });

const late = async (): Promise<never> => {
  throw new NodeFailed('unavailable', 'it did not answer in time');
};

/** A node that has the newest states only. */
function fresh(real: EthereumNode['transactionCount']): EthereumNode['transactionCount'] {
  return async (address, at) => {
    if (typeof at === 'number') throw new NodeFailed('refused', 'it refused: missing trie node');
    return real(address, at);
  };
}

function changed<A extends readonly unknown[], T extends object>(
  real: (...asked: A) => Promise<T | null>,
  lie: Partial<T>,
) {
  return async (...asked: A): Promise<T | null> => {
    const answer = await real(...asked);
    return answer && { ...answer, ...lie };
  };
}

// @covers ETH-LIES ETH-ONCE
it.each(liars)('records nothing of a node that %s', async (_, lie) => {
  const { node, start, checkpoint, entries, untilFinal, check, anvil } = sending;
  const honest = start();
  const size = await checkpoint();
  const rows = () =>
    sending.store
      .sql('select 1 from ethereum_transactions where reference = $1', [`${size}`])
      .then(({ length }) => length);
  while ((await rows()) === 0) await honest.step();
  const before = await entries();
  const liar = start({ node: { ...node, ...lie(node) } });
  for (let steps = 0; steps < 5; steps += 1) {
    await liar.step().catch(() => undefined);
    await anvil.mine();
  }
  expect(await entries()).toEqual(before);
  await untilFinal(start());
  expect((await entries()).slice(before.length)).toEqual([`mined ${size}`, `final ${size}`]);
  await check(honest.account, 10_000n * 10n ** 18n);
});

// @covers ETH-LIES ETH-CONFIRMED
it('makes no proof of receipts that are not under the root, and says so in the end', async () => {
  const { node, start, checkpoint, anchorOf, anvil } = sending;
  const process = start({
    node: { ...node, receipts: async (hash) => [...(await node.receipts(hash)), ...(await node.receipts(hash))] },
  });
  const size = await checkpoint();
  for (let steps = 0; steps < 60 && (await anchorOf(size))?.state !== 'final'; steps += 1) {
    await process.step().catch(() => undefined);
    await anvil.mine();
  }
  expect(await anchorOf(size)).toMatchObject({ state: 'final', header: null });
  expect(process.unproved).toHaveLength(1);
});

// @covers ETH-FSCK
it('is checked by fsck', async () => {
  const { store } = sending;
  const { faults } = await fsck(store.database, [model('log')], {
    onProgress: () => undefined,
    easiest: mainChain,
  });
  expect(faults).toBeNull();
  const [row] = await store.sql<EthereumAnchoredRow>(
    `select c.size, c.note, ${ethereumColumns} from checkpoints c join ethereum_anchors x on x.size = c.size where x.header is not null limit 1`,
  );
  if (row === undefined) throw new Error('there is no proved anchor');
  expect(ethereumAnchorFault(row)).toBeNull();
  expect(ethereumAnchorFault({ ...row, eth_digest: '00'.repeat(32) })).toMatch(/not of the SHA-256/);
  expect(ethereumAnchorFault({ ...row, eth_block_hash: otherHash })).toMatch(/does not hold/);
  expect(ethereumAnchorFault({ ...row, eth_log_index: 1 })).toMatch(/has no log 1/);
  expect(ethereumAnchorFault({ ...row, eth_contract: `0x${'00'.repeat(20)}` })).toMatch(/another contract/);
  expect(ethereumAnchorFault({ ...row, eth_nodes: [] })).toMatch(/does not hold/);
});
