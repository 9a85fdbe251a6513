import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { computeAddress } from 'ethers';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../src/database/open.js';
import { deployAnchor } from '../../ethereum/anchor-contract.js';
import { type Anvil, fundedKeys, startAnvil } from '../../ethereum/anvil.js';
import { key as apiKey } from '../../faults/acknowledged.js';
import { bare, program, start } from '../../faults/service-process.js';
import { ask } from '../../http/ask.js';
import { preparedStoreAddress, type StoreAddress } from '../../support/new-store.js';
import { repeats } from '../../support/repeats.js';

const kills = repeats('ANCHOR_KILLS');
const payer = fundedKeys[3];
const account = computeAddress(payer);
const run = promisify(execFile);
const headers = { authorization: `Bearer ${apiKey}` };

/** Writes a memory and asks for its proof, which has a checkpoint signed over it. @returns the id of its receipt */
async function writeCovered(origin: string, content: string): Promise<string> {
  const written = await ask(origin, 'POST', '/v1/memories', { headers, body: JSON.stringify({ content }) });
  const memory = await ask(origin, 'GET', `/v1/memories/${written.json.memory_id}`, { headers });
  const receipt: string = memory.json.receipt_id;
  await ask(origin, 'GET', `/v1/receipts/${receipt}/proof`, { headers });
  return receipt;
}

async function untilFinal(origin: string, receipt: string): Promise<void> {
  for (let tries = 0; tries < 1200; tries += 1) {
    const { json } = await ask(origin, 'GET', `/v1/receipts/${receipt}`, { headers });
    if (json.anchor_tx?.state === 'final') return;
    await pause(100);
  }
  throw new Error('the last write gets no final anchor');
}

/** @returns the digests of all anchors in the contract */
async function anchored(anvil: Anvil, contract: string): Promise<string[]> {
  const logs = await anvil.call('eth_getLogs', [{ address: contract, fromBlock: '0x0', toBlock: 'latest' }]);
  return Array.isArray(logs) ? logs.map(({ topics }) => String(topics[2])) : [];
}

async function recordedCosts({ store }: StoreAddress): Promise<{ state: string; paid: string }[]> {
  const database = await openDatabase(store);
  try {
    return await database.read((tx) =>
      tx.query<{ state: string; paid: string }>(
        'select state, paid::text from ethereum_transactions order by nonce',
        [],
      ),
    );
  } finally {
    await database.close();
  }
}

// @covers ETH-ONCE
it('pays once for each checkpoint, although its process is killed', async () => {
  const store = await preparedStoreAddress();
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-ethereum-'));
  const keyFile = join(directory, 'key');
  writeFileSync(keyFile, payer, { mode: 0o600 });
  const anvil = await startAnvil({ blockTime: 1 });
  const { address, provider } = await deployAnchor(anvil);
  provider.destroy();
  const balance = async () => BigInt(String(await anvil.call('eth_getBalance', [account, 'latest'])));
  const before = await balance();
  const env = {
    DATA_DIR: store.directory,
    BOOTSTRAP_API_KEY: apiKey,
    PORT: '0',
    LOG_LEVEL: 'error',
    OTS_CALENDARS: 'off',
    ...(store.store.kind === 'server' ? { DATABASE_URL: store.store.url } : {}),
    ETH_RPC_URL: anvil.url,
    ETH_CHAIN_ID: `${anvil.chainId}`,
    ETH_PRIVATE_KEY_FILE: keyFile,
    ETH_ANCHOR_ADDRESS: address,
    ETH_ANCHOR_INTERVAL: '1s',
    ETH_CONFIRMATIONS: '2',
    ANCHOR_INTERVAL: '168h',
  };
  for (let kill = 0; kill < kills; kill += 1) {
    const service = await start({ ...bare, ...env });
    await writeCovered(service.origin, `memory ${kill}`);
    // A process looks every six seconds, and sends what several looks have confirmed. A new one begins to look again.
    await pause(Math.random() * 30_000);
    await service.kill();
  }
  const service = await start({ ...bare, ...env });
  await untilFinal(service.origin, await writeCovered(service.origin, 'the last memory'));
  await service.stop();
  const digests = await anchored(anvil, address);
  expect(new Set(digests).size).toBe(digests.length);
  const rows = await recordedCosts(store);
  expect(rows.filter(({ state }) => state !== 'done')).toEqual([]);
  expect(before - (await balance())).toBe(rows.reduce((sum, { paid }) => sum + BigInt(paid), 0n));
  const checked = await run(process.execPath, [...program, 'fsck'], { env: { ...bare, ...env } });
  expect(checked.stdout).toContain('No fault');
  console.log(
    `${kills} kills, ${digests.length} anchors, each digest once, ${rows.length} transactions paid as recorded`,
  );
  await anvil.kill();
  await store.remove();
  rmSync(directory, { recursive: true, force: true });
});
