import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSigner } from '../../../src/adapters/ethereum/account.js';
import { openNode } from '../../../src/adapters/ethereum/node.js';
import { type Anvil, fundedKeys, startAnvil } from '../../ethereum/anvil.js';
import { faultOf } from '../../ethereum/node-fault.js';

const someAddress = `0x${'cd'.repeat(20)}`;

let anvil: Anvil;
beforeAll(async () => {
  anvil = await startAnvil();
});
afterAll(() => anvil.stop());

it('answers every question of the port, and takes what a signer has signed', async () => {
  const node = openNode(anvil.url);
  const signer = openSigner(fundedKeys[0]);
  expect(signer.address).toBe('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266');
  expect(await node.chainId()).toBe(31_337);
  const before = await node.balance(signer.address);
  const gas = await node.estimateGas({ from: signer.address, to: someAddress, data: '0x' });
  const { baseFee } = (await node.block('latest')) ?? {};
  const fees = { maxPriorityFeePerGas: await node.priorityFee(), maxFeePerGas: 2n * (baseFee ?? 0n) + 10n ** 9n };
  const call = { chainId: 31_337, nonce: 0, to: someAddress, data: '0x', gasLimit: gas };
  const signed = signer.sign({ ...call, ...fees });
  expect(signer.sign({ ...call, ...fees })).toEqual(signed);
  expect(await node.receipt(signed.hash)).toBeNull();
  await node.send(signed.raw);
  // The node makes a block at once, but answers before it has.
  await expect.poll(() => node.receipt(signed.hash)).not.toBeNull();
  const receipt = await node.receipt(signed.hash);
  if (receipt === null) throw new Error('the transaction is in no block');
  expect(receipt).toMatchObject({ succeeded: true, from: signer.address, to: someAddress, blockNumber: 1, logs: [] });
  expect(before - (await node.balance(signer.address))).toBe(receipt.gasUsed * receipt.gasPrice);
  const block = await node.block(1);
  expect(block).toEqual(await node.block('latest'));
  expect(block).toMatchObject({ hash: receipt.blockHash, transactions: [signed.hash] });
  expect(await node.transactions(1)).toEqual([{ hash: signed.hash, from: signer.address, nonce: 0 }]);
  expect(await node.receipts(receipt.blockHash)).toHaveLength(1);
  expect(await node.header(receipt.blockHash)).toMatchObject({ receiptsRoot: block?.receiptsRoot });
  expect(await node.transactionCount(signer.address, 'latest')).toBe(1);
  expect(await node.transactionCount(signer.address, 0)).toBe(0);
  expect(await node.code(someAddress)).toBe('0x');
  expect(await node.call({ to: someAddress, data: '0x' })).toBe('0x');
  expect(await node.block(7)).toBeNull();
  expect(await node.transactions(7)).toBeNull();
});

it('says why it takes no transaction', async () => {
  const node = openNode(anvil.url);
  const signer = openSigner(fundedKeys[1]);
  const call = { chainId: 31_337, to: someAddress, data: '0x', gasLimit: 21_000n };
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n };
  await anvil.call('evm_setAutomine', [false]);
  const first = signer.sign({ ...call, ...fees, nonce: 0 });
  await node.send(first.raw);
  const replacement = signer.sign({ ...call, ...fees, maxFeePerGas: 10n ** 10n - 1n, nonce: 0 });
  const poor = openSigner(`0x${'77'.repeat(32)}`).sign({ ...call, ...fees, nonce: 0 });
  expect(await faultOf(node.send(first.raw))).toMatchObject({ fault: 'already known' });
  expect(await faultOf(node.send(replacement.raw))).toMatchObject({ fault: 'underpriced' });
  expect(await faultOf(node.send(poor.raw))).toMatchObject({ fault: 'insufficient funds' });
  await anvil.mine();
  expect(await faultOf(node.send(replacement.raw))).toMatchObject({ fault: 'nonce too low' });
});
