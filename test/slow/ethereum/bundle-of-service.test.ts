import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { latestCheckpoint, logState } from '../../../projections/log/queries.js';
import { realWorld } from '../../../src/base/world.js';
import { type VerifyOptions, verify } from '../../../src/cli/verify.js';
import { recordInLog } from '../../../src/commands/record-in-log.js';
import { createRun } from '../../../src/commands/run.js';
import { stateLoader } from '../../../src/commands/state/state.js';
import { proofOfLog } from '../../../src/domain/ethereum/proof-of-log.js';
import { type LogEvent, whileLogMoves } from '../../../src/tlog/record.js';

import { sha256 } from '../../anchoring/bitcoin.js';
import { deployAnchor } from '../../ethereum/anchor-contract.js';
import { type Anvil, startAnvil } from '../../ethereum/anvil.js';
import { hex } from '../../ethereum/blocks.js';
import { heldByBlock } from '../../ethereum/independent.js';
import { type Service, startService } from '../../http/service.js';

const directory = mkdtempSync(join(tmpdir(), 'counterfoil-on-ethereum-'));
let service: Service;
let anvil: Anvil;
beforeAll(async () => {
  [service, anvil] = await Promise.all([startService({ ANCHOR_INTERVAL: '168h' }), startAnvil()]);
});
afterAll(async () => {
  await Promise.all([service.stop(), anvil.stop()]);
  rmSync(directory, { recursive: true, force: true });
});

async function record(event: LogEvent): Promise<void> {
  const { database, ledger } = service.app;
  const run = createRun(ledger, stateLoader(database, realWorld.now), realWorld);
  // The service writes to the log too.
  await whileLogMoves(async () => {
    const { head } = await database.read(logState);
    await recordInLog(run, realWorld)(head, event);
  });
}

const proofOf = async (id: string) => (await service.call('GET', `/v1/receipts/${id}/proof`)).json;

/** A receipt under a checkpoint. */
async function covered(content: string): Promise<string> {
  const { json } = await service.call('POST', '/v1/memories', { content });
  const { json: memory } = await service.call('GET', `/v1/memories/${json.memory_id}`);
  await proofOf(String(memory.receipt_id));
  return String(memory.receipt_id);
}

const minedBlock = z.looseObject({ number: z.string(), hash: z.string(), timestamp: z.string() });
const minedReceipts = z.array(
  z.looseObject({
    transactionHash: z.string(),
    logs: z.array(z.looseObject({ address: z.string(), topics: z.array(z.string()) })),
  }),
);

/** Anchors the newest checkpoint in a block with other transactions, and records the anchor with its proof. */
async function anchorLatest() {
  const { address, contract, provider } = await deployAnchor(anvil);
  const latest = await service.app.database.read(latestCheckpoint);
  const { note = '', size = 0 } = latest ?? {};
  const text = note.slice(0, note.indexOf('\n\n') + 1);
  const [origin = ''] = text.split('\n');
  const digest = sha256(Buffer.from(text));
  await anvil.call('evm_setAutomine', [false]);
  const send = (of: Uint8Array) =>
    contract.getFunction('anchor')(sha256(Buffer.from(origin)), size, of, { gasLimit: 200_000 });
  for (let other = 0; other < 20; other += 1) await send(Buffer.alloc(32, other));
  const sent = await send(digest);
  await anvil.mine();
  const block = minedBlock.parse(await anvil.call('eth_getBlockByNumber', ['latest', false]));
  const receipts = minedReceipts.parse(await anvil.call('eth_getBlockReceipts', [block.number]));
  provider.destroy();
  const txIndex = receipts.findIndex(({ transactionHash }) => transactionHash === sent.hash);
  const { header, tx_index, log_index, receipt, proof } = await proofOfLog({ block, receipts, txIndex, logIndex: 0 });
  const body = {
    type: 'ethereum' as const,
    size,
    digest: Buffer.from(digest).toString('hex'),
    chain_id: anvil.chainId,
    contract: address.toLowerCase(),
    tx_hash: sent.hash,
    block_number: Number(block.number),
    block_hash: block.hash,
    block_time: new Date(Number(block.timestamp) * 1000).toISOString(),
  };
  await record({ kind: 'anchor.mined', body });
  const final = { type: 'ethereum' as const, size, block_hash: block.hash };
  await record({
    kind: 'anchor.final',
    body: { ...final, proof: { header, tx_index, log_index, receipt, nodes: [...proof] } },
  });
  return { hash: block.hash, address, transactions: receipts.length };
}

async function verified(path: string, options: Partial<VerifyOptions>) {
  const [out, err]: [string[], string[]] = [[], []];
  const stdin = (async function* () {})();
  const terminal = {
    stdin,
    colour: false,
    out: (text: string) => out.push(text),
    err: (text: string) => err.push(text),
  };
  const code = await verify(path, { key: [], json: true, ...options }, terminal);
  const { claims }: { claims: { name: string; state: string; text: string }[] } = JSON.parse(
    out.join('') || '{"claims":[]}',
  );
  const stateOf = (name: string) => claims.find((one) => one.name === name)?.state;
  const ethereum = claims.find(({ name }) => name === 'ethereum');
  return {
    code,
    err: err.join('\n'),
    ethereum: ethereum?.state,
    text: ethereum?.text,
    consistency: stateOf('consistency'),
  };
}

// @covers ETHPROOF-BUNDLE ETHPROOF-NODE ETHPROOF-FILE
it('the bundle of a receipt is verified on Ethereum, by a node, by a file and by a second opinion', async () => {
  const [early, late] = [await covered('the first text'), await covered('the second text')];
  expect((await proofOf(early)).anchors).toEqual([]);
  const { hash, address, transactions } = await anchorLatest();
  expect(transactions).toBe(21);

  for (const [id, consistency] of [
    [early, 'verified'],
    [late, 'absent'],
  ] as const) {
    const bundle = await proofOf(id);
    expect(bundle.anchors).toHaveLength(1);
    const [path, blocks] = [join(directory, `${id}.json`), join(directory, 'blocks.txt')];
    writeFileSync(path, JSON.stringify(bundle));
    writeFileSync(blocks, `# of our own node\n\n${hash}\n`);
    const holds = { code: 0, ethereum: 'verified', consistency };
    expect(await verified(path, { ethereum: anvil.url, contract: address })).toMatchObject(holds);
    expect(await verified(path, { ethereum: blocks })).toMatchObject(holds);
    expect(await verified(path, {})).toMatchObject({ code: 0, ethereum: 'not checked' });
    const other = hex(new Uint8Array(20));
    expect(await verified(path, { ethereum: blocks, contract: other })).toMatchObject({ code: 1, ethereum: 'failed' });
    const trusted = { chainId: anvil.chainId, hash: hash.slice(2) };
    expect(await heldByBlock(bundle.anchors[0], bundle.checkpoint, trusted)).toBe(true);
    expect(await heldByBlock(bundle.anchors[0], bundle.checkpoint, { ...trusted, chainId: 1 })).toBe(false);
    const { json: report } = await service.call('POST', '/v1/receipts/verify', bundle);
    expect(report.claims.at(-1)).toMatchObject({ name: 'ethereum', state: 'not checked' });
  }

  // Another block fails the claim only when the chain does not replace it any more: anvil finalizes after 64 blocks.
  await anvil.reorg(1);
  const replaced = join(directory, `${late}.json`);
  for (const blocks of [0, 63]) {
    await anvil.mine(blocks);
    expect(await verified(replaced, { ethereum: anvil.url })).toMatchObject({
      code: 0,
      ethereum: 'not checked',
      text: expect.stringContaining('not finalized yet'),
    });
  }
  await anvil.mine();
  expect(await verified(replaced, { ethereum: anvil.url })).toMatchObject({
    code: 1,
    ethereum: 'failed',
    text: expect.stringContaining('another block'),
  });
});

it('a node of another chain, or one that does not answer, checks nothing and shows no credentials', async () => {
  const id = await covered('the third text');
  await anvil.call('evm_setAutomine', [true]);
  await anchorLatest();
  const path = join(directory, 'bundle.json');
  writeFileSync(path, JSON.stringify(await proofOf(id)));
  const elsewhere = await startAnvil({ chainId: 5 });
  expect(await verified(path, { ethereum: elsewhere.url })).toMatchObject({ code: 0, ethereum: 'not checked' });
  await elsewhere.stop();
  const away = `${elsewhere.url.replace('http://', 'http://user:secret@')}/v3/secret?key=secret`;
  const result = await verified(path, { ethereum: away });
  expect(result).toMatchObject({
    code: 0,
    ethereum: 'not checked',
    err: expect.stringMatching(/no block of Ethereum/),
  });
  expect(JSON.stringify(result)).not.toContain('secret');
  for (const wrong of ['ws://user:secret@127.0.0.1', 'http://user:secret@:x', join(directory, 'bundle.json')]) {
    const refused = await verified(path, { ethereum: wrong });
    expect(refused.code).toBe(2);
    expect(refused.err).not.toContain('secret');
  }
  expect((await verified(path, { contract: 'x' })).code).toBe(2);
});
