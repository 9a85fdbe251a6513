import { createHash } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { latestCheckpoint } from '../../../projections/log/queries.js';
import { openSigner } from '../../../src/adapters/ethereum/account.js';
import { realWorld } from '../../../src/base/world.js';
import { fundedKeys } from '../../ethereum/anvil.js';
import { key, newSending, type Sending } from '../../ethereum/sending.js';

let sending: Sending | undefined;
afterEach(() => sending?.close());

async function opened(...options: Parameters<typeof newSending>): Promise<Sending> {
  sending = await newSending(...options);
  return sending;
}

// @covers ETH-ANCHORED ETH-CONFIRMED
it('anchors the newest checkpoint once, with a proof, and the next one after it', async () => {
  const { store, start, checkpoint, untilFinal, anchorOf, entries, check, node } = await opened();
  const process = start();
  const before = await node.balance(process.account);
  expect(await process.step()).toMatchObject({ more: false, problem: null });
  const first = await checkpoint();
  await untilFinal(process);
  expect(await process.step()).toMatchObject({ more: false, problem: null, isWaiting: false });
  await checkpoint();
  const third = await checkpoint();
  await untilFinal(process);
  expect(await entries()).toEqual([`mined ${first}`, `final ${first}`, `mined ${third}`, `final ${third}`]);
  await check(process.account, before);
  const anchor = await anchorOf(third);
  const { note = '' } = (await store.database.read(latestCheckpoint)) ?? {};
  const text = note.slice(0, note.indexOf('\n\n') + 1);
  expect(anchor?.digest).toBe(createHash('sha256').update(text).digest('hex'));
  expect(anchor?.block_time).toMatch(/Z$/);
});

// @covers ETH-SAME-BYTES ETH-LOST
it('sends the same bytes again after its block was replaced', async () => {
  const { anvil, start, checkpoint, untilFinal, entries, check, node, store } = await opened();
  const process = start();
  const before = await node.balance(process.account);
  const size = await checkpoint();
  while ((await entries()).length === 0) await process.step();
  await anvil.reorg(1);
  await untilFinal(process);
  expect(await entries()).toEqual(['mined', 'lost', 'mined', 'final'].map((kind) => `${kind} ${size}`));
  expect(await store.sql('select 1 from ethereum_variants')).toHaveLength(1);
  await check(process.account, before);
});

// @covers ETH-REPLACEMENT ETH-CEILING
it('raises the fee of a stuck transaction, never above the ceiling', async () => {
  const { anvil, start, checkpoint, untilFinal, entries, check, node, store } = await opened({ automine: false });
  const process = start({ setting: { maxFeeWei: 12n * 10n ** 9n } });
  const before = await node.balance(process.account);
  const size = await checkpoint();
  const variants = () =>
    store.sql<{ max_fee: string; priority_fee: string }>(
      'select max_fee::text, priority_fee::text from ethereum_variants order by variant',
    );
  while ((await variants()).length === 0) await process.step();
  // The base fee falls by an eighth with each empty block, so it is raised before each.
  const raisedBlock = async () => {
    await anvil.call('anvil_setNextBlockBaseFeePerGas', [`0x${(20n * 10n ** 9n).toString(16)}`]);
    await anvil.mine();
  };
  let problem: string | null = null;
  for (let blocks = 0; blocks < 60 && problem === null; blocks += 1) {
    await raisedBlock();
    problem = (await process.step()).problem;
  }
  expect(problem).toBe('a transaction is stuck, and a higher fee is above the ceiling of 12 gwei');
  const offered = (await variants()).map(({ max_fee, priority_fee }) => ({
    max: BigInt(max_fee),
    priority: BigInt(priority_fee),
  }));
  expect(offered.length).toBeGreaterThan(1);
  for (const [at, { max, priority }] of offered.entries()) {
    const last = offered[at - 1];
    expect(max <= 12n * 10n ** 9n && priority <= max).toBe(true);
    if (last) expect(8n * max >= 9n * last.max && 8n * priority >= 9n * last.priority).toBe(true);
  }
  await untilFinal(process);
  expect(await entries()).toEqual([`mined ${size}`, `final ${size}`]);
  await check(process.account, before);
});

// @covers ETH-ONE-PROCESS ETH-ONCE
it('is done by one process of two, and by the other one when the first has ended', async () => {
  const { start, checkpoint, untilFinal, check, node, store } = await opened();
  const [first, second] = [start({ owner: realWorld.nonce() }), start({ owner: realWorld.nonce() })];
  const before = await node.balance(first.account);
  await checkpoint();
  for (let steps = 0; steps < 12; steps += 1) await Promise.all([first.step(), second.step()]);
  expect(await node.transactionCount(first.account, 'latest')).toBe(1);
  await store.sql("update leases set until = now() - interval '1 second'");
  await untilFinal(second);
  expect(await first.step()).toMatchObject({ more: false, isWaiting: false });
  await check(first.account, before);
});

// @covers ETH-FOREIGN-NONCE
it('stops when another sender has used a nonce of its key, and continues with a new key', async () => {
  const { anvil, start, checkpoint, untilFinal, check, node, anchorOf, store } = await opened({ automine: false });
  const process = start();
  await checkpoint();
  const rows = () => store.sql<{ state: string }>('select state from ethereum_transactions order by nonce');
  while ((await rows()).length === 0) await process.step();
  // It pays more, so that it replaces ours in the pool.
  const foreign = openSigner(key).sign({
    chainId: anvil.chainId,
    nonce: 0,
    to: process.account,
    data: '0x',
    gasLimit: 21_000n,
    maxFeePerGas: 40n * 10n ** 9n,
    maxPriorityFeePerGas: 10n * 10n ** 9n,
  });
  await node.send(foreign.raw);
  await anvil.mine();
  expect((await process.step()).problem).toMatch(/the node lags, or another sender has the key/);
  expect(await rows()).toEqual([{ state: 'sent' }]);
  let problem: string | null = null;
  for (let steps = 0; steps < 20; steps += 1) {
    await anvil.mine();
    problem = (await process.step()).problem ?? problem;
  }
  expect(await rows()).toEqual([{ state: 'taken' }]);
  expect(problem).toMatch(/the key must be of this service alone/);
  const other = start({ key: fundedKeys[2] });
  const before = await node.balance(other.account);
  const size = await checkpoint();
  await untilFinal(other);
  await check(other.account, before);
  expect(await anchorOf(size)).toMatchObject({ state: 'final' });
  expect(await node.transactionCount(process.account, 'latest')).toBe(1);
});

// @covers ETH-FOREIGN-NONCE
it('waits when a foreign transaction has used the next nonce, and pays nothing', async () => {
  const { anvil, start, checkpoint, untilFinal, node } = await opened();
  const process = start();
  await checkpoint();
  await untilFinal(process);
  const fees = { gasLimit: 21_000n, maxFeePerGas: 40n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n };
  const foreign = { chainId: anvil.chainId, nonce: 1, to: process.account, data: '0x', ...fees };
  await node.send(openSigner(key).sign(foreign).raw);
  await anvil.mine(5);
  await checkpoint();
  const problems: (string | null)[] = [];
  for (let steps = 0; steps < 4; steps += 1) problems.push((await process.step()).problem);
  expect(problems[0]).toBe('the node says that nonce 1 is used');
  expect(problems.at(-1)).toMatch(/the key must be of this service alone/);
  expect(await node.transactionCount(process.account, 'latest')).toBe(2);
});
