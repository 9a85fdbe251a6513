import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JsonRpcProvider, Wallet } from 'ethers';
import { afterAll, expect, it } from 'vitest';
import { fundedKeys, startAnvil } from '../../ethereum/anvil.js';

const directory = mkdtempSync(join(tmpdir(), 'counterfoil-anvil-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it('starts a chain whose blocks are made, replaced, forgotten and stored', async () => {
  const state = join(directory, 'state.json');
  const anvil = await startAnvil({ automine: false, state, chainId: 4242, hardfork: 'shanghai' });
  const height = async () => Number(await anvil.call('eth_blockNumber'));
  expect(anvil.chainId).toBe(4242);
  const owner = new Wallet(fundedKeys[5]).address;
  expect(await anvil.call('eth_getBalance', [owner, 'latest'])).toBe('0x21e19e0c9bab2400000');

  await anvil.mine(3);
  const back = await anvil.snapshot();
  await anvil.mine();
  expect(await height()).toBe(4);
  await back();
  expect(await height()).toBe(3);

  const provider = new JsonRpcProvider(anvil.url, anvil.chainId, { staticNetwork: true });
  const raw = await new Wallet(fundedKeys[0], provider).signTransaction({
    to: owner,
    value: 1n,
    nonce: 0,
    gasLimit: 21_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
    chainId: anvil.chainId,
    type: 2,
  });
  provider.destroy();
  const sent = await anvil.call('eth_sendRawTransaction', [raw]);
  await anvil.mine();
  const blockOf = () => anvil.call('eth_getTransactionReceipt', [sent]);
  expect(await blockOf()).toMatchObject({ blockNumber: '0x4' });
  await anvil.reorg(2);
  expect([await height(), await blockOf()]).toEqual([4, null]);
  await anvil.reorg(2, [[raw, 1]]);
  expect(await blockOf()).toMatchObject({ blockNumber: '0x4' });

  await anvil.stop();
  expect(existsSync(state)).toBe(true);
  const again = await startAnvil({ automine: false, state, port: anvil.port, chainId: 4242 });
  expect([again.url, Number(await again.call('eth_blockNumber'))]).toEqual([anvil.url, 4]);
  await again.kill();
});

it('ends a chain that is paused', async () => {
  const anvil = await startAnvil();
  anvil.pause();
  await anvil.stop();
  await expect(anvil.call('eth_chainId')).rejects.toThrow('fetch failed');
});
