import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HeaderOptions, openBitcoinHeaders } from '../../src/adapters/bitcoin-headers.js';
import { Unavailable } from '../../src/adapters/bounded-fetch.js';
import { createChain, easyTarget, withoutWork } from './bitcoin.js';
import { credentials, startBitcoinNode, startEsplora } from './header-servers.js';
import { type Listening, listen } from './http.js';

const chain = createChain();
chain.mine(5);
const easy: HeaderOptions = { easiest: () => easyTarget, timeoutMs: 400 };
const directory = mkdtempSync(join(tmpdir(), 'headers-'));
const servers: Listening[] = [];

const hexOf = (height: number) => Buffer.from(chain.block(height)?.header ?? []).toString('hex');
const cheap = withoutWork(chain.block(3)?.header ?? new Uint8Array());
/** Another block's header instead of each. */
const lie = () => hexOf(1);

async function started(server: Promise<Listening>): Promise<string> {
  servers.push(await server);
  return (await server).url;
}

function withCredentials(url: string, { user, password } = credentials): string {
  return url.replace('//', `//${encodeURIComponent(user)}:${encodeURIComponent(password)}@`);
}

function written(name: string, content: string): string {
  writeFileSync(join(directory, name), content);
  return join(directory, name);
}

afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  rmSync(directory, { recursive: true });
});

describe.each(['file', 'Esplora server', 'Bitcoin node'])('a %s', (kind) => {
  let where: string;
  let lying: string;
  beforeAll(async () => {
    if (kind === 'file') {
      const headers = Object.fromEntries(Array.from({ length: 6 }, (_, height) => [height, hexOf(height)]));
      where = written('headers.json', JSON.stringify(headers));
      lying = written('cheap.json', JSON.stringify({ 3: Buffer.from(cheap).toString('hex') }));
    } else if (kind === 'Esplora server') {
      where = `${await started(startEsplora(chain))}/api/`;
      lying = `${await started(startEsplora(chain, lie))}/api`;
    } else {
      where = withCredentials(await started(startBitcoinNode(chain)));
      lying = withCredentials(await started(startBitcoinNode(chain, lie)));
    }
  });

  it('gives the headers of the blocks that there are', async () => {
    const headers = await openBitcoinHeaders(where, easy);
    expect(await headers.header(3)).toEqual(chain.block(3)?.header);
    expect(await headers.header(0)).toEqual(chain.block(0)?.header);
    expect(await headers.header(6)).toBeUndefined();
  });

  it('is not believed without the work', async () => {
    const headers = await openBitcoinHeaders(where);
    await expect(headers.header(3)).rejects.toThrow('its header of block 3 is a block header that was easier to mine');
  });

  it('is not believed when it gives something else', async () => {
    const headers = await openBitcoinHeaders(lying, easy);
    await expect(headers.header(3)).rejects.toThrow(Unavailable);
    await expect(headers.header(3)).rejects.toThrow(
      kind === 'file' ? 'without the work' : 'the source gave another header than that of block',
    );
  });
});

describe('a source that cannot be used', () => {
  it.each([
    '',
    '[]',
    '{"1":"00"}',
    '{"x":1}',
    'null',
    `{"01":"${'0'.repeat(160)}"}`,
  ])('is a file of %j', async (content) => {
    await expect(openBitcoinHeaders(written('wrong.json', content))).rejects.toThrow(Unavailable);
  });

  it('is a file that is not there', async () => {
    await expect(openBitcoinHeaders(join(directory, 'none.json'))).rejects.toThrow('none.json cannot be read');
  });

  it('is a node with another password, which no message repeats', async () => {
    const url = await started(startBitcoinNode(chain));
    const headers = await openBitcoinHeaders(withCredentials(url, { user: 'user', password: 'wrong' }), easy);
    await expect(headers.header(3)).rejects.toThrow(/^it answered 401$/);
  });

  it.each([
    ['redirects', 'it answered 302', (): [number, string] => [302, '']],
    ['answers too much', 'more than 4096 bytes', (): [number, string] => [200, 'a'.repeat(5000)]],
    ['answers something else', 'cannot be understood', (): [number, string] => [200, '"<html>"']],
    ['fails', 'it answered 503', (): [number, string] => [503, '']],
  ])('is one that %s', async (_, reason, answer) => {
    const url = await started(
      listen(
        createServer((_request, response) => {
          const [status, body] = answer();
          response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end(body);
        }),
      ),
    );
    for (const where of [url, withCredentials(url)]) {
      const headers = await openBitcoinHeaders(where, easy);
      await expect(headers.header(3)).rejects.toThrow(Unavailable);
      await expect(headers.header(3)).rejects.toThrow(reason);
    }
  });

  it('is one that does not answer in time', async () => {
    const url = await started(listen(createServer((_, response) => response.writeHead(200).write('0'))));
    const headers = await openBitcoinHeaders(url, easy);
    await expect(headers.header(3)).rejects.toThrow('it did not answer within 400 ms');
  });
});
