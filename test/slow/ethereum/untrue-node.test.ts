import { afterEach, expect, it } from 'vitest';
import { openSigner } from '../../../src/adapters/ethereum/account.js';
import { openNode } from '../../../src/adapters/ethereum/node.js';
import { lagging, limited, lying } from '../../ethereum/behaviours.js';
import { comparedWithChain } from '../../ethereum/on-chain.js';
import { type Behaviour, type NodeProxy, startProxy } from '../../ethereum/proxy.js';
import { key, newSending, type Process, type Sending } from '../../ethereum/sending.js';
import { repeats } from '../../support/repeats.js';
import { seededRandom } from '../../verifier/mutations.js';

const rounds = repeats('UNTRUE_ANSWERS');
const deep = 20;
let sending: Sending;
let proxy: NodeProxy;
async function open(...options: Parameters<typeof newSending>): Promise<void> {
  sending = await newSending(...options);
  proxy = await startProxy(sending.anvil.url);
}
afterEach(async () => {
  await proxy.close();
  await sending.close();
});

/** A process whose node is the proxy. */
const started = (): Process => sending.start({ node: openNode(proxy.url, 2000) });

/** Steps and looks back, with a block after each, no matter what results. */
async function steps(process: Process, count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) {
    await process.step().catch(() => undefined);
    if (done % 3 === 0) await process.lookBack().catch(() => undefined);
    await sending.anvil.mine();
  }
}

// @covers ETH-LIES ETH-ONCE ETH-LIMITS-OF-NODES
it.each<readonly [string, (random: ReturnType<typeof seededRandom>) => Behaviour]>([
  ['lies', (random) => lying(random)],
  ['lies all the time', (random) => lying(random, 1)],
  ['limits requests', limited],
  ['lags by up to 8 blocks', (random) => lagging(() => random(8))],
  [
    'does all of that',
    (random) => {
      const all = [lying(random), limited(random), lagging(() => random(8))];
      return (asked, ask) => (all[random(all.length)] ?? lying(random))(asked, ask);
    },
  ],
])(`records nothing false and pays once for each of ${rounds} checkpoints, with a node that %s`, async (what, made) => {
  await open();
  const random = seededRandom(11);
  const { account } = started();
  const before = await sending.node.balance(account);
  for (let round = 0; round < rounds; round += 1) {
    await sending.checkpoint();
    const process = started();
    proxy.behave(made(random));
    await steps(process, 12);
    proxy.behave(null);
    await sending.untilFinal(round % 2 === 0 ? process : started());
    // What the untrue node has said last may have to be found out yet.
    for (let looks = 0; looks < 4; looks += 1) await process.lookBack();
    await sending.untilFinal(process);
  }
  const compared = await comparedWithChain(sending, account, before);
  expect(compared.transactions).toBe(rounds);
  const { asked, changed } = proxy.counts();
  console.log(
    `a node that ${what}: ${asked} questions, ${changed} answered untruly, ${compared.transactions} transactions, ` +
      `${compared.anchors} final anchors, ${compared.recorded} wei recorded and ${compared.spent} spent`,
  );
});

/** Three final anchors, and a reorganisation that replaces the blocks of all. @returns how many of them the new branch has at once */
async function replaced(process: Process, round: number): Promise<number> {
  const sizes: number[] = [];
  for (const _ of [1, 2, 3]) {
    sizes.push(await sending.checkpoint());
    await sending.untilFinal(process);
  }
  const earlier = (await sending.entries()).length;
  const rows = await sending.store.sql<{ raw: string }>(
    `select raw from ethereum_variants join ethereum_transactions using (account, nonce, tx_hash)
      where reference = any($1::text[]) order by nonce`,
    [sizes.map(String)],
  );
  // Those of the old branch are in other blocks of the new one, or have to be sent again.
  const kept = rows.slice(0, round % 4).map(({ raw }, at) => [raw, at + 1] as const);
  await sending.anvil.reorg(deep, kept);
  await sending.anvil.mine(3);
  const later = round % 2 === 0 ? process : started();
  for (let looks = 0; looks < 40; looks += 1) {
    await later.lookBack();
    await later.step();
    await sending.anvil.mine();
  }
  await sending.untilFinal(later);
  const entries = (await sending.entries()).slice(earlier);
  for (const size of sizes) {
    const of = entries.filter((entry) => entry.endsWith(` ${size}`));
    expect(of).toEqual(['lost', 'mined', 'final'].map((kind) => `${kind} ${size}`));
  }
  return kept.length;
}

/** After some twenty deep reorganisations a chain of anvil has lost its contracts. */
const roundsOfChain = 10;
const reorganisations = Array.from({ length: repeats('DEEP_REORGS') }, (_, round) => round);

// @covers ETH-DEEP ETH-LOST ETH-ONCE
it.each(
  Array.from({ length: Math.ceil(reorganisations.length / roundsOfChain) }, (_, chain) => chain),
)(`finds every anchor again after reorganisations of ${deep} blocks, with 3 confirmations, on chain %i`, async (chain) => {
  await open();
  // The contract is in a block that stays.
  await sending.anvil.mine(deep);
  const process = started();
  const before = await sending.node.balance(process.account);
  const own = reorganisations.slice(chain * roundsOfChain, (chain + 1) * roundsOfChain);
  let kept = 0;
  for (const round of own) kept += await replaced(process, round);
  const compared = await comparedWithChain(sending, process.account, before);
  expect(compared.transactions).toBe(3 * own.length);
  console.log(
    `${own.length} reorganisations of ${deep} blocks: ${compared.transactions} transactions, of which the new branches had ` +
      `${kept}; ${compared.anchors} final anchors; ${compared.recorded} wei recorded and ${compared.spent} spent`,
  );
});

// @covers ETH-RECENT-HEAD
it('begins with a key when the node has a recent block, and with the nonce of that block', async () => {
  const hourAgo = Math.floor(Date.now() / 1000) - 3600;
  await open({ args: ['--timestamp', String(hourAgo)] });
  const process = started();
  const fees = { gasLimit: 21_000n, maxFeePerGas: 40n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n };
  const earlier = { chainId: sending.anvil.chainId, to: process.account, data: '0x', ...fees };
  const old = Number(await sending.anvil.call('eth_blockNumber'));
  for (const nonce of [0, 1]) await sending.node.send(openSigner(key).sign({ ...earlier, nonce }).raw);
  await sending.anvil.call('evm_setNextBlockTimestamp', [`0x${Math.floor(Date.now() / 1000).toString(16)}`]);
  await sending.anvil.mine();
  const head = async () => Number(await sending.anvil.call('eth_blockNumber'));
  const blocks = (await head()) - old;
  proxy.behave(lagging(() => blocks));
  const before = await sending.node.balance(process.account);
  await sending.checkpoint();
  for (let looks = 0; looks < 5; looks += 1) {
    expect((await process.step()).problem).toMatch(/made (59|60|61) minutes ago/);
  }
  proxy.behave(null);
  await sending.untilFinal(process);
  expect(await sending.store.sql('select nonce, state from ethereum_transactions')).toEqual([
    { nonce: 2, state: 'done' },
  ]);
  const [row] = await sending.store.sql<{ paid: string }>('select paid::text from ethereum_transactions');
  expect(before - (await sending.node.balance(process.account))).toBe(BigInt(row?.paid ?? 0));
});
