import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSigner } from '../../src/adapters/ethereum/account.js';
import { NodeFailed } from '../../src/adapters/ethereum/faults.js';
import { openNode } from '../../src/adapters/ethereum/node.js';
import { type Anvil, fundedKeys, startAnvil } from './anvil.js';

const key = fundedKeys[0];
const someHash = `0x${'ab'.repeat(32)}`;
const someAddress = `0x${'cd'.repeat(20)}`;

async function faultOf(
  asked: Promise<unknown>,
): Promise<{ fault: string; message: string; retryAfterMs: number | null }> {
  const error: unknown = await asked.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof NodeFailed)) throw error;
  return { fault: error.fault, message: error.message, retryAfterMs: error.retryAfterMs };
}

describe('a node that answers truly', () => {
  let anvil: Anvil;
  beforeAll(async () => {
    anvil = await startAnvil();
  });
  afterAll(() => anvil.stop());

  it('answers every question of the port, and takes what a signer has signed', async () => {
    const node = openNode(anvil.url);
    const signer = openSigner(key);
    expect(signer.address).toBe('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266');
    expect(await node.chainId()).toBe(31_337);
    const before = await node.balance(signer.address);
    const gas = await node.estimateGas({ from: signer.address, to: someAddress, data: '0x' });
    const { baseFee } = (await node.block('latest')) ?? {};
    const fees = { maxPriorityFeePerGas: await node.priorityFee(), maxFeePerGas: 2n * (baseFee ?? 0n) + 10n ** 9n };
    const call = { chainId: 31_337, nonce: 0, to: someAddress, data: '0x', gasLimit: gas };
    const signed = signer.sign({ ...call, ...fees });
    expect(signer.sign({ ...call, ...fees })).toEqual(signed);
    expect(await node.receipt(signed.hash)).toBeNull();
    await node.send(signed.raw);
    const receipt = await node.receipt(signed.hash);
    if (receipt === null) throw new Error('the transaction is in no block');
    expect(receipt).toMatchObject({ succeeded: true, from: signer.address, to: someAddress, blockNumber: 1, logs: [] });
    expect(before - (await node.balance(signer.address))).toBe(receipt.gasUsed * receipt.gasPrice);
    const block = await node.block(1);
    expect(block).toEqual(await node.block('latest'));
    expect(block).toMatchObject({ hash: receipt.blockHash, transactions: [signed.hash] });
    expect(await node.receipts(receipt.blockHash)).toHaveLength(1);
    expect(await node.header(receipt.blockHash)).toMatchObject({ receiptsRoot: block?.receiptsRoot });
    expect(await node.transactionCount(signer.address, 'latest')).toBe(1);
    expect(await node.transactionCount(signer.address, 0)).toBe(0);
    expect(await node.code(someAddress)).toBe('0x');
    expect(await node.call({ to: someAddress, data: '0x' })).toBe('0x');
    expect(await node.block(7)).toBeNull();
  });

  it('says why it takes no transaction', async () => {
    const node = openNode(anvil.url);
    const signer = openSigner(fundedKeys[1]);
    const call = { chainId: 31_337, to: someAddress, data: '0x', gasLimit: 21_000n };
    const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n };
    await anvil.call('evm_setAutomine', [false]);
    const first = signer.sign({ ...call, ...fees, nonce: 0 });
    await node.send(first.raw);
    const replacement = signer.sign({ ...call, ...fees, maxFeePerGas: 10n ** 10n - 1n, nonce: 0 });
    const poor = openSigner(`0x${'77'.repeat(32)}`).sign({ ...call, ...fees, nonce: 0 });
    expect(await faultOf(node.send(first.raw))).toMatchObject({ fault: 'already known' });
    expect(await faultOf(node.send(replacement.raw))).toMatchObject({ fault: 'underpriced' });
    expect(await faultOf(node.send(poor.raw))).toMatchObject({ fault: 'insufficient funds' });
    await anvil.mine();
    expect(await faultOf(node.send(replacement.raw))).toMatchObject({ fault: 'nonce too low' });
  });
});

describe('a node that does not', () => {
  let server: Server;
  let answer: (id: number, response: ServerResponse) => void;
  let url: string;
  const asks: string[] = [];

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      asks.push(request.headers.authorization ?? '');
      answer(JSON.parse(Buffer.concat(chunks).toString('utf8')).id, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    url = `http://name:p%40ssword@127.0.0.1:${port}/v3/secret-project-id?apikey=another-secret`;
  });
  afterAll(() => server.close());

  const result = (value: unknown) => (id: number, response: ServerResponse) =>
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: value }));
  const error =
    (code: number, message: string, status = 200) =>
    (id: number, response: ServerResponse) =>
      response.writeHead(status).end(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));

  it('is unavailable, whatever it answers that is of no use', async () => {
    const block = { number: '0x1', hash: someHash, parentHash: someHash, receiptsRoot: someHash, timestamp: '0x1' };
    const useless: readonly (typeof answer)[] = [
      result('0x-1'),
      result(-1),
      result(`0x${'f'.repeat(65)}`),
      result({ ...block, gasLimit: '0x1', transactions: [], number: '0xffffffffffffffff' }),
      result({ ...block, gasLimit: '0x1', transactions: ['0x12'] }),
      result({ ...block, gasLimit: '0x1', transactions: [], timestamp: '0xffffffffffff' }),
      result({ ...block, gasLimit: '0x1', transactions: [], number: '0x2' }),
      (_, response) => response.end('<html>'),
      (id, response) => response.end(JSON.stringify({ jsonrpc: '2.0', id: id + 1, result: '0x1' })),
      (_, response) => response.end('x'.repeat(2 * 1024 * 1024)),
      (_, response) => response.destroy(),
      (_, response) => response.writeHead(200, { 'content-length': 100 }).write('{"jsonrpc"', () => response.destroy()),
      (_, response) => response.writeHead(502).end('bad gateway'),
      error(-32_005, 'daily request count exceeded, request rate limited'),
      error(-32_000, 'header not found: rate limit exceeded', 429),
    ];
    for (const one of useless) {
      answer = one;
      expect((await faultOf(openNode(url).block(1))).fault).toBe('unavailable');
    }
  });

  it('has a deadline, and may say how long it wants to be left alone', async () => {
    answer = () => undefined;
    expect(await faultOf(openNode(url, 50).chainId())).toMatchObject({ fault: 'unavailable' });
    answer = (_, response) => response.writeHead(429, { 'retry-after': '7' }).end();
    expect(await faultOf(openNode(url).chainId())).toMatchObject({ fault: 'unavailable', retryAfterMs: 7000 });
  });

  it('gets the credentials of its address, and no sentence repeats them', async () => {
    answer = error(-32_000, `project secret-project-id of p@ssword, another-secret: ${new URL(url).host}`);
    const { message, fault } = await faultOf(openNode(url).balance(someAddress));
    expect(fault).toBe('refused');
    expect(message).toBe('it refused eth_getBalance: project … of …, …: …');
    expect(asks.at(-1)).toBe(`Basic ${Buffer.from('name:p@ssword').toString('base64')}`);
  });

  it('gives a receipt of another transaction, which is not taken', async () => {
    const receipt = {
      transactionIndex: '0x0',
      blockHash: someHash,
      blockNumber: '0x1',
      from: someAddress,
      status: '0x1',
    };
    const rest = { gasUsed: '0x1', effectiveGasPrice: '0x1', logs: [] };
    answer = result({ ...receipt, ...rest, transactionHash: someHash });
    expect(await openNode(url).receipt(someHash)).toMatchObject({ to: null, gasPrice: 1n });
    expect(await faultOf(openNode(url).receipt(`0x${'00'.repeat(32)}`))).toMatchObject({ fault: 'unavailable' });
  });
});
