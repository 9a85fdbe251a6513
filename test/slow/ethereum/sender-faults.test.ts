import { afterAll, beforeAll, expect, it } from 'vitest';
import { faultyNode } from '../../ethereum/faulty-node.js';
import { newSending, type Process, type Sending } from '../../ethereum/sending.js';
import { type Faulty, type Flavour, faultyDatabase } from '../../faults/faulty-database.js';
import { repeats } from '../../support/repeats.js';

let sending: Sending;
let database: Faulty;
beforeAll(async () => {
  sending = await newSending();
  database = faultyDatabase(sending.store.database);
});
afterAll(() => sending.close());

/** The process ends at its first fault: another one does what is left. @returns whether it came to its end */
async function untilBroken(process: Process): Promise<boolean> {
  return sending.untilFinal(process).then(
    () => true,
    () => false,
  );
}

const flavours: readonly Flavour[] = ['failed', 'failed but persisted'];

// @covers ETH-ONCE
it(`pays once for each checkpoint, although processes end at ${repeats('ANCHOR_FAULTS')} calls of the node`, async () => {
  const { account } = sending.start();
  const before = await sending.node.balance(account);
  await sending.checkpoint();
  await sending.untilFinal(sending.start());
  let faults = 0;
  for (let at = 1; faults < repeats('ANCHOR_FAULTS'); at += 1) {
    for (const flavour of flavours) {
      await sending.checkpoint();
      const faulty = faultyNode(sending.node, at, flavour);
      if (await untilBroken(sending.start({ node: faulty.node }))) {
        // It needs fewer calls: from the first one on again.
        at = 0;
        continue;
      }
      faults += 1;
      await sending.untilFinal(sending.start());
    }
  }
  await sending.check(account, before);
});

// @covers ETH-ONCE
it(`does so at ${repeats('ANCHOR_FAULTS')} calls of the database`, async () => {
  const { account } = sending.start();
  const before = await sending.node.balance(account);
  const rows = () => sending.store.sql<{ count: number }>('select count(*) as count from ethereum_transactions');
  const [{ count: earlier } = { count: 0 }] = await rows();
  let [faults, made] = [0, 0];
  // The steps have hundreds of statements, most of which read. Each run breaks another one.
  for (let at = 1; faults < repeats('ANCHOR_FAULTS'); at += 7) {
    for (const flavour of flavours) {
      await sending.checkpoint();
      made += 1;
      database.arm({ from: at, count: 1, flavour });
      const isThrough = await untilBroken(sending.start({ database: database.database }));
      database.arm(null);
      if (isThrough) at = faults % 7;
      else faults += 1;
      await sending.untilFinal(sending.start());
    }
  }
  const [{ count } = { count: 0 }] = await rows();
  expect(count - earlier).toBe(made);
  const spent = await sending.store.sql<{ paid: string }>(
    'select sum(paid)::text as paid from (select paid from ethereum_transactions order by nonce offset $1) later',
    [earlier],
  );
  expect(before - (await sending.node.balance(account))).toBe(BigInt(spent[0]?.paid ?? 0));
});

// @covers ETH-LOST ETH-SAME-BYTES ETH-ONCE
it(`finds its transactions again after ${repeats('REORGS')} reorganisations of depths 1 to 6`, async () => {
  const { anvil, node, start, checkpoint, untilFinal, entries } = sending;
  const deep = { setting: { confirmations: 8 } };
  const { account } = start();
  const before = await node.balance(account);
  const earlier = (await entries()).length;
  const offset = await node.transactionCount(account, 'latest');
  const sizes: number[] = [];
  for (let round = 0; round < repeats('REORGS'); round += 1) {
    const size = await checkpoint();
    sizes.push(size);
    const process = start(deep);
    while ((await entries()).at(-1) !== `mined ${size}`) await process.step();
    const depth = 1 + (round % 6);
    if (depth > 1) await anvil.mine(depth - 1);
    await anvil.reorg(depth);
    await untilFinal(round % 2 === 0 ? process : start(deep));
  }
  const seen = (await entries()).slice(earlier);
  expect(seen).toEqual(sizes.flatMap((size) => ['mined', 'lost', 'mined', 'final'].map((kind) => `${kind} ${size}`)));
  expect((await node.transactionCount(account, 'latest')) - offset).toBe(sizes.length);
  const [row] = await sending.store.sql<{ paid: string }>(
    'select sum(paid)::text as paid from ethereum_transactions where nonce >= $1',
    [offset],
  );
  expect(before - (await node.balance(account))).toBe(BigInt(row?.paid ?? 0));
});
