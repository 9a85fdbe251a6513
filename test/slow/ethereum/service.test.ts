import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { World } from '../../../src/base/world.js';
import { WrongSetting } from '../../../src/settings/wrong-setting.js';
import { deployAnchor } from '../../ethereum/anchor-contract.js';
import { type Anvil, fundedKeys, startAnvil } from '../../ethereum/anvil.js';
import { type Service, startService, testWorld } from '../../http/service.js';
import { preparedStoreAddress, type StoreAddress } from '../../support/new-store.js';

/** The real world, in which no worker rests for longer than a tenth of a second. */
const restless: World = { ...testWorld, sleep: (ms, signal) => testWorld.sleep(Math.min(ms, 100), signal) };
const directory = mkdtempSync(join(tmpdir(), 'counterfoil-ethereum-'));
const keyFile = join(directory, 'key');
const state = join(directory, 'chain.json');
let anvil: Anvil;
let store: StoreAddress;
let env: Record<string, string>;

beforeAll(async () => {
  // Every service has the same store, one after the other.
  store = await preparedStoreAddress();
  anvil = await startAnvil({ state });
  const { address, provider } = await deployAnchor(anvil);
  provider.destroy();
  // A block is made when a test says so.
  await anvil.call('evm_setAutomine', [false]);
  writeFileSync(keyFile, fundedKeys[3], { mode: 0o600 });
  env = {
    DATA_DIR: store.directory,
    ETH_RPC_URL: anvil.url,
    ETH_CHAIN_ID: `${anvil.chainId}`,
    ETH_PRIVATE_KEY_FILE: keyFile,
    ETH_ANCHOR_ADDRESS: address,
    ETH_ANCHOR_INTERVAL: '1s',
    ETH_CONFIRMATIONS: '2',
    // Only what a proof asks for is signed.
    ANCHOR_INTERVAL: '168h',
  };
});
afterAll(async () => {
  await anvil.kill();
  await store.remove();
  rmSync(directory, { recursive: true, force: true });
});

async function until<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  for (const end = Date.now() + 120_000; Date.now() < end; ) {
    const found = await look();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${what} does not come`);
}

const isPending = () =>
  until('a transaction', async () => {
    const pool = await anvil.call('txpool_content');
    return JSON.stringify(pool).includes('"nonce"') ? true : null;
  });

/** Writes a memory and has a checkpoint signed that covers it. @returns the id of its receipt */
async function writeCovered(service: Service, content: string): Promise<string> {
  const { json: written } = await service.call('POST', '/v1/memories', { content });
  const { json: memory } = await service.call('GET', `/v1/memories/${written.memory_id}`);
  await service.call('GET', `/v1/receipts/${memory.receipt_id}/proof`);
  return memory.receipt_id;
}

/** Waits until the service is ready with a warning, which it leaves out while that takes long to find. @returns the answer */
const readyWith = (service: Service, warning: string) =>
  until(warning, async () => {
    const { status, text } = await service.call('GET', '/readyz');
    expect(status).toBe(200);
    return text.includes(warning) ? text : null;
  });

async function metricOf(service: Service, name: string): Promise<number> {
  // Metrics are computed once a second.
  await new Promise((resolve) => setTimeout(resolve, 1001));
  const { text } = await service.call('GET', '/metrics');
  return Number(new RegExp(`^${name.replace(/[{}"]/g, '\\$&')} (.+)$`, 'm').exec(text)?.[1]);
}

// @covers ETH-CHAIN-ID ETH-CONTRACT-THERE ETH-NODE-AWAY
it('refuses a start on another chain or without the contract, and starts without the node', async () => {
  const start = (changed: Record<string, string>) => startService({ ...env, ...changed }, restless);
  await expect(start({ ETH_CHAIN_ID: '1' })).rejects.toThrow(
    new WrongSetting(`ETH_CHAIN_ID is wrong: it is 1, and the node of ETH_RPC_URL is of chain ${anvil.chainId}.`),
  );
  await expect(start({ ETH_ANCHOR_ADDRESS: `0x${'12'.repeat(20)}` })).rejects.toThrow('there is no contract at 0x12');
  // The contract is there with other code, as after a wrong version was deployed.
  const other = `0x${'34'.repeat(20)}`;
  await anvil.call('anvil_setCode', [other, '0x6000']);
  await expect(start({ ETH_ANCHOR_ADDRESS: other })).rejects.toThrow('there is a contract with other code');
  const service = await start({ ETH_RPC_URL: 'http://127.0.0.1:1/secret-key-of-a-provider' });
  const text = await readyWith(service, 'Checkpoints are anchored later');
  expect(`${text}${service.logged.join('')}`).not.toContain('secret-key');
  await service.stop();
}, 120_000);

// @covers ETH-NODE-AWAY
it('does not wait long for a node that takes connections and says nothing', async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => sockets.add(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const service = await startService({ ...env, ETH_RPC_URL: `http://127.0.0.1:${port}` }, restless);
  await readyWith(service, 'it did not answer within');
  expect(await metricOf(service, 'counterfoil_ethereum_balance_ether{purpose="anchors"}')).toBeNaN();
  await service.stop();
  for (const socket of sockets) socket.destroy();
  silent.close();
}, 120_000);

// @covers ETH-ANCHORED ETH-HEALTH ETH-NODE-AWAY ETH-CHAIN-FIXED
it('anchors what a client writes, shows it in the receipt and in metrics, and survives its node', async () => {
  const service = await startService(env, restless);
  const shown = async (id: string) => (await service.call('GET', `/v1/receipts/${id}`)).json.anchor_tx;
  const comes = (id: string, state: string) =>
    until(`the state ${state}`, async () => {
      const anchor = await shown(id);
      return anchor?.state === state ? anchor : null;
    });
  const first = await writeCovered(service, 'an anchored memory');
  await isPending();
  expect(await shown(first)).toBeNull();
  expect(await metricOf(service, 'counterfoil_ethereum_fee_gwei{purpose="anchors"}')).toBeGreaterThan(0);
  await anvil.mine();
  const anchor = await comes(first, 'mined');
  expect(anchor).toMatchObject({
    chain: `eip155:${anvil.chainId}`,
    tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  });
  expect(await metricOf(service, 'counterfoil_ethereum_anchors{state="mined"}')).toBe(1);
  await anvil.mine();
  expect(await comes(first, 'final')).toEqual({ ...anchor, state: 'final' });
  expect(await metricOf(service, 'counterfoil_ethereum_anchors{state="final"}')).toBe(1);
  expect(await metricOf(service, 'counterfoil_ethereum_balance_ether{purpose="anchors"}')).toBeGreaterThan(9000);
  expect(await metricOf(service, 'counterfoil_ethereum_spent_today_ether{purpose="anchors"}')).toBeGreaterThan(0);
  expect((await service.call('GET', `/v1/receipts/${first}/proof`)).text).toContain('"ethereum"');

  await anvil.stop();
  const second = await writeCovered(service, 'written while the node is away');
  const ready = await until('a warning', async () => {
    const answer = await service.call('GET', '/readyz');
    return answer.text.includes('Anchors on Ethereum wait: the node is of no use') ? answer : null;
  });
  expect(ready.status).toBe(200);
  anvil = await startAnvil({ state, port: anvil.port, automine: false });
  await until('the second anchor', async () => {
    await anvil.mine();
    return (await shown(second))?.state === 'final' ? true : null;
  });
  expect(`${ready.text}${service.logged.join('')}`).not.toContain(new URL(anvil.url).host);
  await service.stop();
  await expect(startService({ ...env, ETH_CHAIN_ID: '1' }, restless)).rejects.toThrow('which never changes');
}, 120_000);
