// @projects fast server
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkpointOf, logState } from '../../projections/log/queries.js';
import { recordInLog } from '../../src/commands/record-in-log.js';
import type { LogEvent } from '../../src/tlog/record.js';
import { realWorld } from '../../src/world.js';
import { newStore, type Store } from '../maintenance/store.js';

let store: Store;
beforeAll(async () => {
  store = await newStore();
});
afterAll(() => store.close());

async function record(...events: readonly LogEvent[]): Promise<void> {
  for (const event of events) {
    const { seq } = await store.database.read(logState);
    await recordInLog(store.run, realWorld)(seq, event);
  }
}

const anchors = () => store.sql(`select size, type, state, heights from anchors order by size, type`);

it('a checkpoint has an anchor of each type, and entries without a type are about OpenTimestamps', async () => {
  const size = 7;
  const digest = 'ab'.repeat(32);
  await record(
    { kind: 'checkpoint.signed', body: { size, root: '00'.repeat(32), note: 'a note' } },
    { kind: 'anchor.submitted', body: { size, digest, ots: 'AAAA' } },
    { kind: 'anchor.submitted', body: { type: 'ethereum', size, digest, ots: 'BBBB' } },
    { kind: 'anchor.attested', body: { size, ots: 'CCCC', heights: [800_000] } },
  );
  expect(await anchors()).toEqual([
    { size, type: 'ethereum', state: 'submitted', heights: [] },
    { size, type: 'opentimestamps', state: 'attested', heights: [800_000] },
  ]);
  // Receipts, bundles and the steps of OpenTimestamps see its anchor alone.
  const row = await store.database.read((tx) => checkpointOf(tx, size));
  expect([row?.anchor, Buffer.from(row?.ots ?? []).toString('base64')]).toEqual(['attested', 'CCCC']);
  await record({ kind: 'anchor.lost', body: { type: 'ethereum', size, height: 1, block_hash: 'cd' } });
  expect((await store.database.read((tx) => checkpointOf(tx, size)))?.anchor).toBe('attested');
});
