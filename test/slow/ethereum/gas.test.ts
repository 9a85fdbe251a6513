import { join } from 'node:path';
import { ContractFactory, formatUnits, Wallet } from 'ethers';
import { expect, it } from 'vitest';
import { readAnchorContract } from '../../../src/adapters/ethereum/anchor-contract.js';
import { packageRoot } from '../../../src/base/package-root.js';
import { leastGas, mostGas } from '../../../src/workers/ethereum/anchors.js';
import { readPage } from '../../docs/documents.js';
import { deployAnchor } from '../../ethereum/anchor-contract.js';
import { fundedKeys, startAnvil } from '../../ethereum/anvil.js';

interface Cost {
  readonly name: string;
  readonly gas: bigint;
  /** How many checkpoints it anchors. */
  readonly anchors: number;
}

const prices = [1n, 10n, 50n];
/** Values without a zero byte, which cost the most. */
const word = (n: number) => `0x${((BigInt(n) + 1n) * 255n + BigInt(`0x${'11'.repeat(32)}`)).toString(16)}`;
const size = 0x7fffffff;

/** Gas is decided by the rules of the chain alone, so each run measures the same figures. */
async function measure(): Promise<Cost[]> {
  const anvil = await startAnvil({ hardfork: 'prague' });
  const { provider, contract } = await deployAnchor(anvil);
  const { abi, bytecode } = readAnchorContract();
  const second = await new ContractFactory(abi, bytecode, new Wallet(fundedKeys[1], provider)).deploy();
  const created = await second.deploymentTransaction()?.wait();
  const gasOf = async (method: string, ...args: readonly unknown[]): Promise<bigint> => {
    const sent = await contract.getFunction(method)(...args);
    return (await sent.wait()).gasUsed;
  };
  const costs: Cost[] = [
    { name: 'the contract is deployed', gas: created?.gasUsed ?? 0n, anchors: 0 },
    { name: '`anchor` of a new checkpoint', gas: await gasOf('anchor', word(0), size, word(1)), anchors: 1 },
    { name: '`anchor` of the same checkpoint again', gas: await gasOf('anchor', word(0), size, word(1)), anchors: 1 },
  ];
  let at = 2;
  for (const anchors of [1, 2, 10, 100]) {
    const batch = Array.from({ length: anchors }, () => [word(0), size, word(at++)]);
    const name = `\`anchorAll\` of ${anchors} new checkpoint${anchors === 1 ? '' : 's'}`;
    costs.push({ name, gas: await gasOf('anchorAll', batch), anchors });
  }
  provider.destroy();
  await anvil.stop();
  return costs;
}

const ether = (gas: bigint, gwei: bigint) => formatUnits(gas * gwei, 9);

function page(costs: readonly Cost[]): string {
  const anchor = costs.find(({ name }) => name.includes('new checkpoint'))?.gas ?? 0n;
  const limits = { least: leastGas, most: mostGas, usual: anchor + anchor / 4n };
  const yearly = anchor * 365n;
  const row = (cells: readonly (string | bigint)[]) =>
    `| ${cells.map((cell) => cell.toLocaleString('en-US')).join(' | ')} |`;
  return [
    '# Gas of the anchor contract',
    '',
    'What each call of [the anchor contract](../operating/ethereum.md) costs. A gas price here is the base fee of a block and',
    'the tip together. On chains that also charge for data on another chain, this charge is added.',
    '',
    row(['call', 'gas', 'gas per checkpoint', ...prices.map((gwei) => `ether at ${gwei} gwei`)]),
    row(['---', '---:', '---:', ...prices.map(() => '---:')]),
    ...costs.map(({ name, gas, anchors }) =>
      row([name, gas, anchors === 0 ? '' : gas / BigInt(anchors), ...prices.map((gwei) => ether(gas, gwei))]),
    ),
    row(['365 new checkpoints, one each day', yearly, yearly / 365n, ...prices.map((gwei) => ether(yearly, gwei))]),
    '',
    '## What the account must have',
    '',
    'A transaction is made when the account has the gas limit of the transaction times the highest price that it offers; what',
    `is not used is not paid. The limit of an anchor is a quarter above the estimate of the node, at least ${limits.least.toLocaleString('en-US')} and at most`,
    `${limits.most.toLocaleString('en-US')} units. The price that is offered is twice the base fee and the tip together, at most \`ETH_MAX_FEE_GWEI\`; the tip`,
    'is at most `ETH_MAX_TIP_GWEI`. So one anchor pays the price of the table, and needs at most this much in the account for',
    'the moment:',
    '',
    row(['gas limit', ...prices.map((gwei) => `ether at ${gwei} gwei at most`)]),
    row(['---:', ...prices.map(() => '---:')]),
    ...[limits.usual, limits.most].map((gas) => row([gas, ...prices.map((gwei) => ether(gas, gwei))])),
    '',
    'The first line is what an anchor of a new checkpoint asks for. `/readyz` warns below three times the second line at',
    `\`ETH_MAX_FEE_GWEI\`: ${ether(3n * limits.most, 50n)} ether at 50 gwei.`,
    '',
    'A checkpoint is new when its digest was never anchored under its origin. It then takes one place of storage on the',
    'chain, which is most of its cost. Values with zero bytes cost a little less than these, whose values have none. The',
    'price of a call does not depend on how many checkpoints are anchored already.',
    '',
    'Measured on a local chain with the rules of the hard fork Prague by `test/slow/ethereum/gas.test.ts`, which fails when',
    'this page says something else. This writes it again: `npx vitest run --project slow test/slow/ethereum/gas.test.ts -u`.',
    '',
  ].join('\n');
}

/** A page with its sentences as they are read: a line may end within one. */
const inOneLine = (path: string) => readPage(path).replaceAll('\n', ' ');

// @covers ANCHOR-GAS
it('the page about gas says what calls cost; if not, run this test with -u', async () => {
  const costs = await measure();
  await expect(page(costs)).toMatchFileSnapshot(join(packageRoot, 'docs/reference/anchor-gas.md'));
  const [deployment, anchor] = costs.map(({ gas }) => gas);
  const yearly = (gwei: bigint) => `${Number(Number(ether((anchor ?? 0n) * 365n, gwei)).toPrecision(2))} ether`;
  const guide = inOneLine('docs/operating/ethereum.md');
  expect(guide).toContain(`The contract costs ${deployment?.toLocaleString('en-US')} units`);
  expect(guide).toContain(`${((anchor ?? 0n) * 365n).toLocaleString('en-US')} units of gas: ${yearly(10n)} at`);
  expect(guide).toContain(`${yearly(1n)} at 1 gwei, ${yearly(50n)} at 50 gwei`);
  expect(inOneLine('docs/decisions/anchor-contract.md')).toContain(
    `the ${anchor?.toLocaleString('en-US')} units of gas`,
  );
});
