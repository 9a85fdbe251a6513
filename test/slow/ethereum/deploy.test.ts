import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSigner } from '../../../src/adapters/ethereum/account.js';
import { addressOfCreation, readAnchorContract } from '../../../src/adapters/ethereum/anchor-contract.js';
import { type EthereumNode, NodeFailed, openNode } from '../../../src/adapters/ethereum/node.js';
import { type DeployOptions, type DeployTools, deploy } from '../../../src/cli/ethereum/deploy.js';
import { type Anvil, fundedKeys, startAnvil } from '../../ethereum/anvil.js';
import { bare, main } from '../../faults/service-process.js';

const contract = readAnchorContract();
const maxFeeWei = 50n * 10n ** 9n;
let anvil: Anvil;
let directory: string;
let last = 0n;

beforeAll(async () => {
  anvil = await startAnvil();
  directory = mkdtempSync(join(tmpdir(), 'counterfoil-deploy-'));
});
afterAll(async () => {
  await anvil.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** An account that no other test uses, with one ether or none. */
async function newKey(isFunded = true): Promise<string> {
  last += 1n;
  const key = `0x${(0xc0ffeen * 1000n + last).toString(16).padStart(64, '0')}`;
  if (isFunded) await anvil.call('anvil_setBalance', [openSigner(key).address, '0xde0b6b3a7640000']);
  return key;
}

interface Case {
  readonly key: string;
  readonly node?: EthereumNode;
  readonly chainId?: number;
  readonly maxFeeWei?: bigint;
  readonly options?: DeployOptions;
  readonly tools?: Partial<DeployTools>;
}

/** Everything that the command prints, without a terminal. */
async function run({ key, node, options = { yes: true }, tools, ...more }: Case) {
  const signer = openSigner(key);
  let said = '';
  const print = (text: string) => {
    said += `${text}\n`;
  };
  const deployment = {
    node: node ?? openNode(anvil.url),
    signer,
    contract,
    chainId: anvil.chainId,
    maxFeeWei,
    maxTipWei: 3n * 10n ** 9n,
    keyFile: '/etc/counterfoil/key',
    ...more,
  };
  const code = await deploy(deployment, options, {
    out: print,
    err: print,
    confirm: async () => 'no terminal' as const,
    pause: async () => undefined,
    ...tools,
  });
  const sent = Number(await anvil.call('eth_getTransactionCount', [signer.address, 'pending']));
  return { code, said, sent, address: addressOfCreation(signer.address, 0) };
}

// @covers ANCHOR-DEPLOY ANCHOR-DEPLOY-ONCE ANCHOR-DEPLOY-SECRETS
it('deploys the contract, says what it costs and what to set, and does it once', async () => {
  const key = await newKey();
  const before = await run({ key, options: {} });
  expect(before).toMatchObject({ code: 1, sent: 0 });
  expect(before.said).toContain(`${openSigner(key).address} pays; it has 1 ether`);
  expect(before.said).toContain('Nothing was sent. Without a terminal, give --yes.');
  const refused = await run({ key, options: {}, tools: { confirm: async () => 'no' } });
  expect(refused).toMatchObject({ code: 1, sent: 0 });

  const { code, said, sent, address } = await run({ key });
  expect([code, sent]).toEqual([0, 1]);
  expect(await anvil.call('eth_getCode', [address, 'latest'])).toBe(contract.deployedBytecode);
  expect(said).toMatch(/about 232\d\d\d units of gas: 0\.000\d+ ether at the present price of \d(\.\d+)? gwei,/);
  expect(said).toContain(
    `ETH_CHAIN_ID=31337\nETH_PRIVATE_KEY_FILE=/etc/counterfoil/key\nETH_ANCHOR_ADDRESS=${address}`,
  );
  expect(said).not.toContain(key.slice(10));
  expect(said).not.toContain(anvil.url);

  const again = await run({ key });
  expect(again).toMatchObject({ code: 1, sent: 1 });
  expect(again.said).toContain(`has deployed this contract already: it is at ${address}.`);
  expect(again.said).toContain(`ETH_ANCHOR_ADDRESS=${address}`);
  expect(await run({ key, options: { yes: true, again: true } })).toMatchObject({ code: 0, sent: 2 });
});

// @covers ANCHOR-DEPLOY-REFUSED ANCHOR-DEPLOY-SECRETS
it('sends nothing on another chain, without ether, above the price, and while the node is away', async () => {
  const key = await newKey();
  const otherChain = await run({ key, chainId: 1 });
  expect(otherChain.said).toContain('The Ethereum node is of chain 31337, and ETH_CHAIN_ID is 1. Nothing was sent.');
  const poor = await run({ key: await newKey(false) });
  expect(poor.said).toMatch(/has 0 ether, and the deployment may cost up to 0\.000\d+ ether: send it at least/);
  const cheap = await run({ key, maxFeeWei: 5n });
  expect(cheap.said).toContain('more than ETH_MAX_FEE_GWEI permits (0.000000005 gwei)');
  const away = await run({ key, node: openNode('http://127.0.0.1:1/a-key-of-a-provider') });
  expect(away.said).toMatch(/^counterfoil: The Ethereum node is not available: .+ Nothing was sent\.\n$/);
  expect(away.said).not.toContain('provider');
  for (const { code, sent } of [otherChain, poor, cheap, away]) expect([code, sent]).toEqual([1, 0]);
  await anvil.call('anvil_setNonce', [openSigner(key).address, '0x7']);
  const used = await run({ key });
  expect(used).toMatchObject({ code: 1, sent: 7 });
  expect(used.said).toContain(
    'has sent transactions already (7). If a service anchors with this key, a transaction that',
  );
});

// @covers ANCHOR-DEPLOY-ONCE
it('pays once when the answer to the transaction is lost, or the transaction itself', async () => {
  const node = openNode(anvil.url);
  const lost = new NodeFailed('unavailable', 'it was silent');
  for (const isTaken of [true, false]) {
    let sends = 0;
    const losing: EthereumNode = {
      ...node,
      async send(raw) {
        sends += 1;
        if (isTaken || sends > 1) await node.send(raw);
        if (sends === 1) throw lost;
      },
    };
    expect(await run({ key: await newKey(), node: losing })).toMatchObject({ code: 0, sent: 1 });
    expect(sends).toBe(isTaken ? 1 : 2);
  }
});

it('gives up when another transaction takes the number, and when no block comes', async () => {
  const node = openNode(anvil.url);
  const key = await newKey();
  const signer = openSigner(key);
  const other = { to: signer.address, data: '0x', chainId: anvil.chainId, nonce: 0, gasLimit: 21_000n };
  const { raw } = signer.sign({ ...other, maxFeePerGas: maxFeeWei, maxPriorityFeePerGas: 1n });
  const taken = await run({ key, node: { ...node, send: () => node.send(raw) } });
  expect(taken).toMatchObject({ code: 1, sent: 1 });
  expect(taken.said).toContain('Another transaction of the account has the number 0');

  const late = await run({ key: await newKey(), node: { ...node, send: async () => undefined } });
  expect(late).toMatchObject({ code: 1, sent: 0 });
  expect(late.said).toContain('Waiting for a block: 60 s.\n');
  expect(late.said).toContain('after 10 minutes. It may still be included.');
});

// @covers ANCHOR-DEPLOY
it('says when the transaction fails, and when the code at the address is another one', async () => {
  const node = openNode(anvil.url);
  const failing: EthereumNode = {
    ...node,
    async receipt(hash) {
      const found = await node.receipt(hash);
      return found && { ...found, succeeded: false };
    },
  };
  expect((await run({ key: await newKey(), node: failing })).said).toMatch(
    /failed in block \d+, and cost 0\.000\d+ ether/,
  );
  const lying = await run({ key: await newKey(), node: { ...node, code: async () => '0xfe' } });
  expect(lying.said).toContain('but the node shows another contract at 0x');
  expect(lying.code).toBe(1);
});

/** The built command, with a secret in the address of the node. */
function command(env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [main, 'ethereum', ...args], {
    cwd: directory,
    env: { ...bare, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const listeners: (() => void)[] = [];
  const read = (data: Buffer) => {
    said += data.toString();
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  // A command that should have ended would wait ten minutes for a block.
  const late = setTimeout(() => child.kill('SIGKILL'), 60_000);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.once('close', () => clearTimeout(late));
  return {
    ended: async () => ({ code: await ended, said }),
    says: (text: string) =>
      new Promise<void>((resolve) => {
        const look = () => said.includes(text) && resolve();
        listeners.push(look);
        look();
      }),
    kill: () => child.kill('SIGKILL'),
  };
}

// @covers ANCHOR-DEPLOY-ONCE ANCHOR-DEPLOY-SECRETS ANCHOR-CHECK
it('a command that is killed while it waits can be repeated, and neither prints a secret', async () => {
  const own = await startAnvil({ automine: false });
  const [key] = fundedKeys;
  const address = addressOfCreation(openSigner(key).address, 0);
  const file = join(directory, 'key');
  writeFileSync(file, key, { mode: 0o600 });
  const env = { ETH_RPC_URL: `${own.url}/?key=a-long-secret`, ETH_CHAIN_ID: '31337', ETH_PRIVATE_KEY_FILE: file };
  const ran = async (...args: string[]) => command(env, ...args).ended();

  const killed = command(env, 'deploy', '--yes');
  await killed.says(`counterfoil ethereum check ${address}`);
  const pending = async () => Number(await own.call('eth_getTransactionCount', [openSigner(key).address, 'pending']));
  await expect.poll(pending).toBe(1);
  killed.kill();
  const first = await killed.ended();
  const [repeated, unchecked] = await Promise.all([ran('deploy', '--yes'), ran('check', address)]);
  expect(repeated.code).toBe(1);
  expect(repeated.said).toContain(`from number 0 on. One may be an earlier deployment.`);
  expect(repeated.said).toContain(`Its contract would be at ${address}.`);
  expect(unchecked).toMatchObject({ code: 1, said: expect.stringContaining('There is no contract at') });
  expect(await pending()).toBe(1);

  await own.mine();
  const [found, checked, other] = await Promise.all([
    ran('deploy', '--yes'),
    ran('check', address),
    ran('check', 'not-an-address'),
  ]);
  expect(found).toMatchObject({ code: 1, said: expect.stringContaining(`already: it is at ${address}`) });
  expect(checked).toMatchObject({ code: 0, said: expect.stringContaining('is the anchor contract of this version') });
  expect(other.code).toBe(2);
  for (const { said } of [first, repeated, unchecked, found, checked, other]) {
    expect(said).not.toMatch(/a-long-secret|ac0974bec39a17e3/);
  }
  await own.stop();
});
