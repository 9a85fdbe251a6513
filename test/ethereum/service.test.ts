// @projects slow
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { World } from '../../src/world.js';
import { WrongSetting } from '../../src/wrong-setting.js';
import { startService, testWorld } from '../http/service.js';
import { deployAnchor } from './anchor-contract.js';
import { type Anvil, fundedKeys, startAnvil } from './anvil.js';

/** The real world, in which no worker rests for longer than a tenth of a second. */
const restless: World = { ...testWorld, sleep: (ms, signal) => testWorld.sleep(Math.min(ms, 100), signal) };
const directory = mkdtempSync(join(tmpdir(), 'counterfoil-ethereum-'));
const keyFile = join(directory, 'key');
let anvil: Anvil;
let env: Record<string, string>;

beforeAll(async () => {
  anvil = await startAnvil({ blockTime: 1 });
  await anvil.call('evm_setAutomine', [true]);
  const { address, provider } = await deployAnchor(anvil);
  provider.destroy();
  writeFileSync(keyFile, fundedKeys[3], { mode: 0o600 });
  env = {
    ETH_RPC_URL: anvil.url,
    ETH_CHAIN_ID: `${anvil.chainId}`,
    ETH_PRIVATE_KEY_FILE: keyFile,
    ETH_ANCHOR_ADDRESS: address,
    ETH_ANCHOR_INTERVAL: '1s',
    ETH_CONFIRMATIONS: '2',
    ANCHOR_INTERVAL: '1s',
  };
});
afterAll(async () => {
  await anvil.kill();
  rmSync(directory, { recursive: true, force: true });
});

// @covers ETH-CHAIN-ID ETH-CONTRACT-THERE ETH-NODE-AWAY
it('refuses a start on another chain or without the contract, and starts without the node', async () => {
  const start = (changed: Record<string, string>) => startService({ ...env, ...changed }, restless);
  await expect(start({ ETH_CHAIN_ID: '1' })).rejects.toThrow(
    new WrongSetting(`ETH_CHAIN_ID is wrong: it is 1, and the node of ETH_RPC_URL is of chain ${anvil.chainId}.`),
  );
  await expect(start({ ETH_ANCHOR_ADDRESS: `0x${'12'.repeat(20)}` })).rejects.toThrow('there is no contract at 0x12');
  const service = await start({ ETH_RPC_URL: 'http://127.0.0.1:1/secret-key-of-a-provider' });
  const { status, text } = await service.call('GET', '/readyz');
  expect(status).toBe(200);
  expect(text).toContain('Checkpoints are anchored later');
  expect(`${text}${service.logged.join('')}`).not.toContain('secret-key');
  await service.stop();
}, 120_000);
