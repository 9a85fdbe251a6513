import { afterAll, beforeAll, expect, it } from 'vitest';
import { latestCheckpoint, logState } from '../../../projections/log/queries.js';
import { realWorld } from '../../../src/base/world.js';
import { recordInLog } from '../../../src/commands/record-in-log.js';
import { createRun } from '../../../src/commands/run.js';
import { stateLoader } from '../../../src/commands/state/state.js';
import { type LogEvent, whileLogMoves } from '../../../src/tlog/record.js';
import { type Service, startService } from '../../http/service.js';

let service: Service;
beforeAll(async () => {
  // Only what a proof asks for is signed.
  service = await startService({ ANCHOR_INTERVAL: '168h' });
});
afterAll(() => service.stop());

async function record(event: LogEvent): Promise<void> {
  const { database, ledger } = service.app;
  const run = createRun(ledger, stateLoader(database, realWorld.now), realWorld);
  // The service writes to the log too.
  await whileLogMoves(async () => {
    const { head } = await database.read(logState);
    await recordInLog(run, realWorld)(head, event);
  });
}

const hash = (digit: number) => `0x${String(digit).repeat(64)}`;
const mined = (size: number, block: number) => ({
  type: 'ethereum' as const,
  size,
  digest: 'ab'.repeat(32),
  chain_id: 31_337,
  contract: `0x${'c'.repeat(40)}`,
  tx_hash: hash(block),
  block_number: block,
  block_hash: hash(block + 1),
  block_time: '2026-03-14T10:02:11.000Z',
});
const tx = (block: number, state: 'mined' | 'final') => ({
  chain: 'eip155:31337',
  tx_hash: hash(block),
  block_number: block,
  block_hash: hash(block + 1),
  state,
});

/** A receipt under a checkpoint, and the number of leaves under that checkpoint. */
async function covered(content: string) {
  const { json } = await service.call('POST', '/v1/memories', { content });
  const { json: memory } = await service.call('GET', `/v1/memories/${json.memory_id}`);
  await service.call('GET', `/v1/receipts/${memory.receipt_id}/proof`);
  const latest = await service.app.database.read(latestCheckpoint);
  return { id: String(memory.receipt_id), size: latest?.size ?? 0 };
}
const shown = async (id: string) => (await service.call('GET', `/v1/receipts/${id}`)).json.anchor_tx;

// @covers ETH-ANCHOR-TX
it('a receipt shows the first anchor of a checkpoint that covers it, until that anchor is lost', async () => {
  const [first, second] = [await covered('the first'), await covered('the second')];
  expect([await shown(first.id), await shown(second.id)]).toEqual([null, null]);
  await record({ kind: 'anchor.mined', body: mined(second.size, 3) });
  expect([await shown(first.id), await shown(second.id)]).toEqual([tx(3, 'mined'), tx(3, 'mined')]);
  const third = await covered('the third');
  expect(await shown(third.id)).toBeNull();
  await record({
    kind: 'anchor.final',
    body: { type: 'ethereum', size: second.size, block_hash: hash(4), proof: null },
  });
  await record({ kind: 'anchor.mined', body: mined(third.size, 5) });
  expect([await shown(second.id), await shown(third.id)]).toEqual([tx(3, 'final'), tx(5, 'mined')]);
  const lost = { type: 'ethereum' as const, size: third.size, height: 5, block_hash: hash(6) };
  await record({ kind: 'anchor.lost', body: lost });
  expect(await shown(third.id)).toBeNull();
  await record({ kind: 'anchor.mined', body: mined(third.size, 7) });
  expect(await shown(third.id)).toEqual(tx(7, 'mined'));
  const { json: list } = await service.call('GET', '/v1/receipts?kind=memory.write');
  expect(list.data.map((one: { anchor_tx: unknown }) => one.anchor_tx)).toEqual([
    tx(7, 'mined'),
    tx(3, 'final'),
    tx(3, 'final'),
  ]);
});

// @covers ETH-LEDGER-ANCHOR
it('an identity shows the anchor of its issuance', async () => {
  const key = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
  const { json: issued } = await service.call('POST', '/v1/agent-id', { public_key: key });
  const anchor = async () =>
    (await service.call('GET', `/v1/agent-id?id=${issued.agn_id}`)).json.ledger_anchor.ethereum;
  expect(await anchor()).toBeNull();
  const { size } = await covered('the fourth');
  await record({ kind: 'anchor.mined', body: mined(size, 8) });
  expect(await anchor()).toEqual(tx(8, 'mined'));
});
