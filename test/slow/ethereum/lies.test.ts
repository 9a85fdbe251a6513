import { Interface, id, Transaction } from 'ethers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ethereumAnchorCounts, uncoveredOnEthereum } from '../../../projections/log/ethereum-anchors.js';
import {
  type EthereumBlock,
  type EthereumNode,
  type EthereumReceipt,
  NodeFailed,
} from '../../../src/adapters/ethereum/node.js';
import { fsck } from '../../../src/maintenance/fsck.js';
import {
  type EthereumAnchoredRow,
  ethereumAnchorFault,
  ethereumColumns,
} from '../../../src/tlog/check/ethereum-anchors.js';
import { mainChain } from '../../../src/verifier/bitcoin.js';
import { newSending, type Sending } from '../../ethereum/sending.js';
import { model } from '../../maintenance/store.js';

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

/** A node that says nothing else than the real one, but does not know a method. */
const unknown = async (): Promise<never> => {
  throw new NodeFailed('unknown method', 'it refused eth_getBlockReceipts: the method does not exist');
};

// @covers ETH-CONFIRMED ETH-PROVED-LATER
it('has no proof only from a node that does not know the method, covers nothing then, and is proved later', async () => {
  const { node, start, checkpoint, anchorOf, untilFinal, entries, check, store } = sending;
  const process = start({ node: { ...node, receipts: unknown } });
  const earlier = (await entries()).length;
  const size = await checkpoint();
  await untilFinal(process);
  expect(await anchorOf(size)).toMatchObject({ state: 'final', header: null });
  expect(process.unproved).toEqual([(await anchorOf(size))?.block_hash]);
  const health = () =>
    store.database.read(async (tx) => [
      (await uncoveredOnEthereum(tx)).count,
      (await ethereumAnchorCounts(tx)).get('unproved') ?? 0,
    ]);
  expect(await health()).toEqual([1, 1]);
  expect(await process.prove()).toBe(false);
  expect(await start({ node: { ...node, receipts: late } }).prove()).toBe(false);
  expect(await start().prove()).toBe(true);
  expect(await health()).toEqual([0, 0]);
  expect(await start().prove()).toBe(false);
  expect((await entries()).slice(earlier)).toEqual(['mined', 'final', 'final'].map((kind) => `${kind} ${size}`));
  await check(process.account, 10_000n * 10n ** 18n);
});

// @covers ETH-LIES ETH-PROVED-LATER
it('is lost and sent again when a node shows that its block does not hold it', async () => {
  const { node, start, checkpoint, anchorOf, untilFinal, entries, anvil } = sending;
  const size = await checkpoint();
  const raws: string[] = [];
  const nonce = await node.transactionCount(start().account, 'latest');
  // It keeps the transaction, and says that the newest block holds it.
  let claimed: EthereumBlock | null = null;
  const liar = start({
    node: {
      ...node,
      receipts: unknown,
      async send(raw) {
        raws.push(raw);
        await anvil.mine();
        claimed = await node.block('latest');
      },
      transactionCount: async (account, at) => (await node.transactionCount(account, at)) + (claimed === null ? 0 : 1),
      async block(at) {
        const block = await node.block(at);
        return block && { ...block, transactions: raws.map((raw) => Transaction.from(raw).hash ?? '') };
      },
      receipt: async (hash) => claimed && receiptIn(claimed, Transaction.from(raws[0]), hash, size),
    },
  });
  await untilFinal(liar);
  expect(await anchorOf(size)).toMatchObject({ state: 'final', header: null });
  expect(await node.transactionCount(liar.account, 'latest')).toBe(nonce);
  const honest = start();
  const earlier = (await entries()).length;
  expect(await honest.prove()).toBe(true);
  await untilFinal(honest);
  expect((await entries()).slice(earlier)).toEqual(['lost', 'mined', 'final'].map((kind) => `${kind} ${size}`));
  expect(await anchorOf(size)).toMatchObject({ state: 'final', header: expect.any(Uint8Array) });
  expect(await node.transactionCount(liar.account, 'latest')).toBe(nonce + 1);
});

/** The receipt that a transaction would have if the block held it. */
function receiptIn(
  block: EthereumBlock,
  { from, to, data }: Transaction,
  txHash: string,
  size: number,
): EthereumReceipt {
  const [origin, , digest] = [0, 1, 2].map((word) => `0x${data.slice(10 + 64 * word, 74 + 64 * word)}`);
  const [event] = new Interface(['event Anchored(bytes32 indexed origin, bytes32 indexed digest, uint64 size)'])
    .fragments;
  return {
    txHash,
    txIndex: 0,
    blockHash: block.hash,
    blockNumber: block.number,
    from: from?.toLowerCase() ?? '',
    to: to?.toLowerCase() ?? null,
    contractAddress: null,
    succeeded: true,
    gasUsed: 46_000n,
    gasPrice: block.baseFee ?? 0n,
    logs: [
      {
        address: to?.toLowerCase() ?? '',
        topics: [id(event?.format() ?? ''), origin ?? '', digest ?? ''],
        data: `0x${size.toString(16).padStart(64, '0')}`,
      },
    ],
  };
}

// @covers ETH-LIES
it('is not written down while the receipts of its block are not under the root of the header', async () => {
  const { node, start, checkpoint, entries, untilFinal, anvil } = sending;
  const double = async (hash: string) => [...(await node.receipts(hash)), ...(await node.receipts(hash))];
  const process = start({ node: { ...node, receipts: double } });
  const earlier = (await entries()).length;
  const size = await checkpoint();
  for (let steps = 0; steps < 20; steps += 1) {
    await process.step().catch(() => undefined);
    await anvil.mine();
  }
  expect((await entries()).slice(earlier)).toEqual([]);
  await untilFinal(start());
  expect((await entries()).slice(earlier)).toEqual([`mined ${size}`, `final ${size}`]);
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
