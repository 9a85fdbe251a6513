import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openNode, openNodeForStart } from '../../src/adapters/ethereum/node.js';
import { seededRandom } from '../verifier/mutations.js';
import { randomBlock, randomReceipt } from './blocks.js';
import { faultOf } from './node-fault.js';

const someHash = `0x${'ab'.repeat(32)}`;
const someAddress = `0x${'cd'.repeat(20)}`;

describe('a node that does not answer truly', () => {
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

  it('is unavailable, no matter what it answers that is of no use', async () => {
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

  it('is unavailable when it gives no transactions of the block', async () => {
    const sent = { hash: someHash, from: someAddress, nonce: '0x7' };
    const withOne = (changes: object, number = '0x1') => ({ number, transactions: [{ ...sent, ...changes }] });
    answer = result(withOne({}));
    expect(await openNode(url).transactions(1)).toEqual([{ ...sent, nonce: 7 }]);
    const useless = [withOne({}, '0x2'), withOne({ nonce: '-0x1' }), withOne({ from: null }), withOne({ hash: '0x' })];
    for (const one of [...useless, { number: '0x1', transactions: [someHash] }, 'none']) {
      answer = result(one);
      expect((await faultOf(openNode(url).transactions(1))).fault).toBe('unavailable');
    }
  });

  it('has a deadline, and may say how long it wants to be left alone', async () => {
    answer = () => undefined;
    expect(await faultOf(openNode(url, 50).chainId())).toMatchObject({ fault: 'unavailable' });
    // All questions of a start have one deadline.
    const atStart = openNodeForStart(url, undefined, 50);
    expect((await faultOf(atStart.chainId())).message).toMatch(/within (50|4\d) ms/);
    expect((await faultOf(atStart.code(someAddress))).message).toMatch(/within 1 ms/);
    answer = (_, response) => response.writeHead(429, { 'retry-after': '7' }).end();
    expect(await faultOf(openNode(url).chainId())).toMatchObject({ fault: 'unavailable', retryAfterMs: 7000 });
  });

  it('may not know a method, which no other answer means', async () => {
    answer = error(-32_601, 'the method eth_getBlockReceipts does not exist/is not available');
    expect((await faultOf(openNode(url).receipts(someHash))).fault).toBe('unknown method');
    expect(await openNode(url).priorityFee()).toBe(10n ** 9n);
    answer = error(-32_600, 'Unsupported method: eth_getBlockReceipts');
    expect((await faultOf(openNode(url).receipts(someHash))).fault).toBe('refused');
  });

  // @covers ETH-LIES
  it('is found out when it changes one member of a block', async () => {
    const { block } = await randomBlock(seededRandom(3), [randomReceipt(seededRandom(4), 0, [])]);
    const whole = { ...block, transactions: [] };
    answer = result(whole);
    expect(await openNode(url).block(Number(block.number))).toMatchObject({ hash: block.hash });
    const earlier = `0x${(Number(block.timestamp) - 1).toString(16)}`;
    const changes = [{ hash: someHash }, { receiptsRoot: someHash }, { timestamp: earlier }, { parentHash: someHash }];
    for (const change of changes) {
      answer = result({ ...whole, ...change });
      const { fault, message } = await faultOf(openNode(url).block(Number(block.number)));
      expect([fault, message]).toEqual([
        'unavailable',
        expect.stringContaining('does not have the hash that it names'),
      ]);
    }
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
