import { concat, dataLength, getBytes, id, keccak256, toBeHex, Wallet, ZeroHash } from 'ethers';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { readAnchorContract } from '../../../src/adapters/ethereum/anchor-contract.js';
import { deployAnchor } from '../../ethereum/anchor-contract.js';
import { type Anvil, fundedKeys, startAnvil } from '../../ethereum/anvil.js';

const { abi } = readAnchorContract();
const origin = id('an origin');
const digest = id('a checkpoint');
let anvil: Anvil;
let ours: Awaited<ReturnType<typeof deployAnchor>>;
let attacker: Wallet;
let back: () => Promise<void>;

beforeAll(async () => {
  anvil = await startAnvil({ hardfork: 'prague' });
  ours = await deployAnchor(anvil);
  attacker = new Wallet(fundedKeys[1], ours.provider);
});
beforeEach(async () => {
  await back?.();
  ours.signer.reset();
  back = await anvil.snapshot();
});
afterAll(async () => {
  ours.provider.destroy();
  await anvil.stop();
});

const anchorOf = (size: bigint | number, ...pair: readonly [string, string]) =>
  abi.encodeFunctionData('anchor', [pair[0], size, pair[1]]);

async function mined(
  from: Wallet | typeof ours.signer,
  data: string,
  more: { value?: bigint; gasLimit?: number } = {},
) {
  const sent = await from.sendTransaction({ to: ours.address, data, ...more });
  const receipt = await ours.provider.waitForTransaction(sent.hash);
  if (receipt === null) throw new Error('The transaction has no receipt.');
  return receipt;
}

const firstSeen = (a: string, b: string): Promise<bigint> => ours.contract.getFunction('firstSeen')(a, b);
const answerTo = (data: string) => anvil.call('eth_call', [{ to: ours.address, data }, 'latest']);

// @covers ANCHOR-COPIED ANCHOR-EVENT
it('a digest that is copied from the pool, under any size, leaves our call its event', async () => {
  await anvil.call('evm_setAutomine', [false]);
  const [our, copied] = [
    await ours.signer.sendTransaction({ to: ours.address, data: anchorOf(7, origin, digest), gasLimit: 100_000 }),
    await attacker.sendTransaction({
      to: ours.address,
      data: anchorOf(8, origin, digest),
      gasLimit: 100_000,
      maxPriorityFeePerGas: 10n ** 11n,
      maxFeePerGas: 10n ** 12n,
    }),
  ];
  await anvil.mine();
  await anvil.call('evm_setAutomine', [true]);
  const [ourReceipt, copy] = await Promise.all([our.wait(), copied.wait()]);
  expect(copy?.index).toBeLessThan(ourReceipt?.index ?? 0);
  const sizes = [copy, ourReceipt].map((one) => one?.logs.map((log) => abi.parseLog(log)?.args.size));
  expect(sizes).toEqual([[8n], [7n]]);
  expect(await firstSeen(origin, digest)).toBe(BigInt(ourReceipt?.blockNumber ?? 0));
});

// @covers ANCHOR-COPIED ANCHOR-FIRST
it('an account that anchors our digest before us makes its first block earlier, and nothing else', async () => {
  const before = await mined(attacker, anchorOf(1, origin, digest));
  await anvil.mine(5);
  const our = await mined(ours.signer, anchorOf(7, origin, digest));
  expect(our.status).toBe(1);
  expect(await firstSeen(origin, digest)).toBe(BigInt(before.blockNumber));
});

it('the anchors of others do not change what a call costs', async () => {
  const alone = await mined(ours.signer, anchorOf(7, origin, id('first')));
  const flood = Array.from({ length: 400 }, (_, n) => [origin, n, id(`flood ${n}`)]);
  await mined(attacker, abi.encodeFunctionData('anchorAll', [flood]), { gasLimit: 15_000_000 });
  const later = await mined(ours.signer, anchorOf(7, origin, id('other')));
  // Digests have more or fewer zero bytes.
  expect(Math.abs(Number(later.gasUsed - alone.gasUsed))).toBeLessThan(100);
});

it('a batch that runs out of gas anchors nothing, and neither does an empty one', async () => {
  const batch = Array.from({ length: 20 }, (_, n) => [origin, n, id(`${n}`)]);
  const data = abi.encodeFunctionData('anchorAll', [batch]);
  expect(await mined(ours.signer, data, { gasLimit: 400_000 })).toMatchObject({ status: 0, gasUsed: 400_000n });
  expect(await firstSeen(origin, id('0'))).toBe(0n);
  await expect(answerTo(abi.encodeFunctionData('anchorAll', [[]]))).rejects.toThrow(
    abi.getError('EmptyBatch')?.selector ?? 'no such error',
  );
});

it('a size of more than 64 bits and a list longer than its data are refused', async () => {
  const [anchor, anchorAll] = [abi.getFunction('anchor')?.selector ?? '', abi.getFunction('anchorAll')?.selector ?? ''];
  const word = (value: bigint) => toBeHex(value, 32);
  const largest = 2n ** 64n - 1n;
  expect(await answerTo(concat([anchor, origin, word(largest), digest]))).toBe('0x');
  await expect(answerTo(concat([anchor, origin, word(largest + 1n), digest]))).rejects.toThrow('revert');
  const one = [origin, word(1n), digest];
  expect(await answerTo(concat([anchorAll, word(32n), word(1n), ...one]))).toBe('0x');
  for (const [offset, length] of [
    [32n, 2n],
    [32n, 2n ** 64n],
    [32n, 2n ** 256n - 1n],
    // Three words for each anchor: these lengths multiplied by 96 are small numbers in 256 bits.
    [32n, 2n ** 251n + 1n],
    [2n ** 64n, 1n],
    [2n ** 256n - 32n, 1n],
  ] as const) {
    await expect(answerTo(concat([anchorAll, word(offset), word(length), ...one]))).rejects.toThrow('revert');
  }
  const wide = concat([anchorAll, word(32n), word(1n), origin, word(largest + 1n), digest]);
  await expect(answerTo(wide)).rejects.toThrow('revert');
});

// @covers ANCHOR-RIGHTS
it('ether is refused, and ether that a dying contract forces on it changes nothing', async () => {
  for (const data of ['0x', '0x12345678', anchorOf(7, origin, digest)]) {
    const request = { from: attacker.address, to: ours.address, data, value: '0x1' };
    await expect(anvil.call('eth_call', [request, 'latest'])).rejects.toThrow('revert');
  }
  // Init code: PUSH20 <contract> SELFDESTRUCT.
  const forced = await attacker.sendTransaction({ data: concat(['0x73', ours.address, '0xff']), value: 5n });
  await forced.wait();
  expect(await ours.provider.getBalance(ours.address)).toBe(5n);
  expect((await mined(ours.signer, anchorOf(7, origin, digest))).logs).toHaveLength(1);
  expect(await ours.provider.getCode(ours.address)).toBe(readAnchorContract().deployedBytecode);
});

it('an event that another contract imitates has the address of that contract', async () => {
  const topic = abi.getEvent('Anchored')?.topicHash ?? '';
  // Init code: PUSH1 7, PUSH1 0, MSTORE, PUSH32 of the three topics, PUSH1 32, PUSH1 0, LOG3, STOP.
  const imitation = concat(['0x6007600052', '0x7f', digest, '0x7f', origin, '0x7f', topic, '0x60206000a300']);
  const sent = await attacker.sendTransaction({ data: imitation });
  const receipt = await sent.wait();
  expect(abi.parseLog(receipt?.logs[0] ?? { topics: [], data: '0x' })?.args.digest).toBe(digest);
  expect(receipt?.logs[0]?.address).not.toBe(ours.address);
  expect(await ours.provider.getLogs({ address: ours.address, topics: [topic, origin, digest] })).toEqual([]);
  expect(await firstSeen(origin, digest)).toBe(0n);
});

// @covers ANCHOR-FIRST
it('the first block is under the hash of both values as they are, in their order', async () => {
  const { blockNumber } = await mined(ours.signer, anchorOf(7, origin, digest));
  const key = keccak256(concat([origin, digest]));
  expect(dataLength(concat([origin, digest]))).toBe(64);
  const place = keccak256(concat([key, ZeroHash]));
  expect(BigInt(await ours.provider.getStorage(ours.address, place))).toBe(BigInt(blockNumber));
  expect(await firstSeen(digest, origin)).toBe(0n);
});

it('a transaction for one chain is refused by another', async () => {
  const other = await startAnvil({ chainId: anvil.chainId + 1 });
  const signed = await attacker.signTransaction({
    to: ours.address,
    data: anchorOf(7, origin, digest),
    chainId: anvil.chainId,
    nonce: 0,
    gasLimit: 100_000,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
    type: 2,
  });
  expect(getBytes(signed)[0]).toBe(2);
  await expect(other.call('eth_sendRawTransaction', [signed])).rejects.toThrow(/chain ?id/i);
  await other.stop();
});
