import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  ethereumAnchorOf,
  latestEthereumAnchor,
  provedEthereumAnchorOver,
} from '../../../projections/log/ethereum-anchors.js';
import { checkpointOf, logState } from '../../../projections/log/queries.js';
import { realWorld } from '../../../src/base/world.js';
import { recordInLog } from '../../../src/commands/record-in-log.js';
import type { LogEvent } from '../../../src/tlog/record.js';
import { newStore, type Store } from '../../maintenance/store.js';

let store: Store;
beforeAll(async () => {
  store = await newStore();
});
afterAll(() => store.close());

async function record(...events: readonly LogEvent[]): Promise<void> {
  for (const event of events) {
    const { head } = await store.database.read(logState);
    await recordInLog(store.run, realWorld)(head, event);
  }
}

const size = 7;
const digest = 'ab'.repeat(32);
const hash = (digit: string) => `0x${digit.repeat(64)}`;
const mined = {
  type: 'ethereum',
  size,
  digest,
  chain_id: 1,
  contract: `0x${'c'.repeat(40)}`,
  tx_hash: hash('1'),
  block_number: 17,
  block_hash: hash('2'),
  block_time: '2026-03-14T10:02:11.000Z',
} as const;
const proof = { header: '0xc0', tx_index: 1, log_index: 0, receipt: '0x02c0', nodes: ['0xc1', '0xc2'] };

const ethereum = () => store.database.read((tx) => ethereumAnchorOf(tx, size));

it('a checkpoint has an anchor of each type, and entries without a type are about OpenTimestamps', async () => {
  await record(
    { kind: 'checkpoint.signed', body: { size, root: '00'.repeat(32), note: 'a note' } },
    { kind: 'anchor.submitted', body: { size, digest, ots: 'AAAA' } },
    { kind: 'anchor.mined', body: mined },
    { kind: 'anchor.attested', body: { size, ots: 'CCCC', heights: [800_000] } },
  );
  expect(await ethereum()).toMatchObject({ state: 'mined', tx_hash: hash('1'), block_number: 17, header: null });
  // The steps of OpenTimestamps see its anchor alone.
  const row = await store.database.read((tx) => checkpointOf(tx, size));
  expect([row?.anchor, Buffer.from(row?.ots ?? []).toString('base64')]).toEqual(['attested', 'CCCC']);
});

it('an anchor on Ethereum becomes final with its proof, or is lost and mined again', async () => {
  await record({ kind: 'anchor.lost', body: { type: 'ethereum', size, height: 17, block_hash: hash('2') } });
  expect((await ethereum())?.state).toBe('lost');
  expect((await store.database.read((tx) => checkpointOf(tx, size)))?.anchor).toBe('attested');
  const again = { ...mined, block_number: 18, block_hash: hash('3') };
  await record(
    { kind: 'anchor.mined', body: again },
    { kind: 'anchor.final', body: { type: 'ethereum', size, block_hash: hash('3'), proof } },
  );
  expect(await ethereum()).toMatchObject({ state: 'final', block_number: 18, tx_index: 1, nodes: proof.nodes });
  const proved = await store.database.read((tx) => provedEthereumAnchorOver(tx, size - 1));
  expect(Buffer.from(proved?.receipt ?? []).toString('hex')).toBe('02c0');
  expect(await store.database.read((tx) => provedEthereumAnchorOver(tx, size))).toBeUndefined();
  expect((await store.database.read(latestEthereumAnchor))?.chain_id).toBe(1);
  await record({ kind: 'anchor.lost', body: { type: 'ethereum', size, height: 18, block_hash: hash('3') } });
  expect(await ethereum()).toMatchObject({ state: 'lost', header: null, nodes: null });
});
