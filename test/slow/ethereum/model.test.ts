import { getBytes, toQuantity } from 'ethers';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { readAnchorContract } from '../../../src/adapters/ethereum/anchor-contract.js';
import { deployAnchor } from '../../ethereum/anchor-contract.js';
import { type Anvil, startAnvil } from '../../ethereum/anvil.js';
import { allPairs, type Call, type Model, modelOf, pairKey, type Step, steps } from '../../ethereum/contract-model.js';
import { repeats } from '../../support/repeats.js';

const { abi } = readAnchorContract();
const logs = z.array(z.object({ topics: z.array(z.string()), data: z.string(), blockNumber: z.string() }));
const receipts = z.array(z.object({ status: z.string() }));
let anvil: Anvil;
let address: string;
let accounts: readonly string[];

async function newChain(): Promise<void> {
  // Transactions of one block are in the order in which they were sent.
  anvil = await startAnvil({ hardfork: 'prague', args: ['--order', 'fifo'] });
  const deployed = await deployAnchor(anvil);
  deployed.provider.destroy();
  address = deployed.address;
  accounts = z.array(z.string()).parse(await anvil.call('eth_accounts'));
  await anvil.call('evm_setAutomine', [false]);
}

beforeAll(newChain);
afterAll(() => anvil.stop());

async function send({ sender, anchors, isSingle, isStarved }: Call): Promise<void> {
  const [first] = anchors;
  const data =
    isSingle && first
      ? abi.encodeFunctionData('anchor', [first.origin, first.size, first.digest])
      : abi.encodeFunctionData('anchorAll', [anchors.map(({ origin, size, digest }) => [origin, size, digest])]);
  const gas = isStarved ? gasOfData(getBytes(data)) + 1_000 : 1_000_000;
  await anvil.call('eth_sendTransaction', [{ from: accounts[sender], to: address, data, gas: toQuantity(gas) }]);
}

/** The least gas that the chain demands for a transaction with this data. With 1,000 more no batch and no single anchor ends. */
function gasOfData(data: Uint8Array): number {
  const zeros = data.filter((byte) => byte === 0).length;
  const tokens = zeros + 4 * (data.length - zeros);
  return 21_000 + 10 * tokens;
}

async function mineAll(calls: readonly Call[]): Promise<void> {
  for (const call of calls) await send(call);
  await anvil.mine();
  const mined = receipts.parse(await anvil.call('eth_getBlockReceipts', ['latest']));
  const expected = calls.map(({ isStarved, anchors }) => (isStarved || anchors.length === 0 ? '0x0' : '0x1'));
  expect(mined.map(({ status }) => status)).toEqual(expected);
}

async function run(all: readonly Step[]): Promise<Model> {
  const base = Number(await anvil.call('eth_blockNumber')) + 1;
  let height = 0;
  for (const step of all) {
    if (typeof step === 'number') {
      const depth = Math.min(step, height);
      if (depth > 0) await anvil.reorg(depth);
    } else {
      await mineAll(step);
      height += 1;
    }
  }
  await anvil.mine();
  const filter = { address, fromBlock: toQuantity(base), toBlock: 'latest' };
  const events = logs.parse(await anvil.call('eth_getLogs', [filter])).map(({ topics, data, blockNumber }) => {
    const { origin, digest, size } = abi.decodeEventLog('Anchored', data, topics);
    return { origin, size, digest, block: Number(blockNumber) - base };
  });
  const firstSeen = new Map<string, number>();
  for (const [origin, digest] of allPairs) {
    const data = abi.encodeFunctionData('firstSeen', [origin, digest]);
    const block = Number(await anvil.call('eth_call', [{ to: address, data }, 'latest']));
    if (block > 0) firstSeen.set(pairKey(origin, digest), block - base);
  }
  return { events, firstSeen };
}

// @covers ANCHOR-EVENT ANCHOR-FIRST
it('every sequence of calls, empty and starved ones and reorganisations too, leaves what the model says', async () => {
  let [sequences, events, again] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      sequences += 1;
      if (sequences % 20 === 0) {
        await anvil.stop();
        await newChain();
      }
      const back = await anvil.snapshot();
      const expected = modelOf(all);
      const seen = await run(all);
      expect(seen.events).toEqual(expected.events);
      expect(new Map([...seen.firstSeen].sort())).toEqual(new Map([...expected.firstSeen].sort()));
      events += seen.events.length;
      again += seen.events.length - seen.firstSeen.size;
      await back();
    }),
    { numRuns: repeats('CALL_SEQUENCES'), endOnFailure: true },
  );
  expect(events).toBeGreaterThan(repeats('CALL_SEQUENCES'));
  expect(again).toBeGreaterThan(0);
});
