import { createServer } from 'node:http';
import { type Chain, doubleSha256 } from './bitcoin.js';
import { bodyOf, type Listening, listen } from './http.js';

/** The header that is sent for a block: a test may put a lie in its place. */
export type Lie = (header: string) => string;

export const credentials = { user: 'user', password: 'p@ss:word' };

const truth: Lie = (header) => header;

/** The two requests of Esplora that are about headers. */
export function startEsplora(chain: Chain, lie: Lie = truth): Promise<Listening> {
  return listen(
    createServer((request, response) => {
      const [, height] = /^\/api\/block-height\/(\d+)$/.exec(request.url ?? '') ?? [];
      const [, hash] = /^\/api\/block\/([0-9a-f]{64})\/header$/.exec(request.url ?? '') ?? [];
      const header = height === undefined ? headerOf(chain, hash) : chain.block(Number(height))?.header;
      if (!header) response.writeHead(404).end('Block not found');
      else response.end(height === undefined ? lie(hex(header)) : shown(header));
    }),
  );
}

/** Bitcoin Core's RPC, as far as it is about headers, with its codes and its status 500 for errors. */
export function startBitcoinNode(chain: Chain, lie: Lie = truth): Promise<Listening> {
  const expected = `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}`;
  return listen(
    createServer(async (request, response) => {
      if (request.headers.authorization !== expected) return response.writeHead(401).end();
      const { id, method, params } = JSON.parse(Buffer.from(await bodyOf(request)).toString());
      const header = method === 'getblockhash' ? chain.block(params[0])?.header : headerOf(chain, params[0]);
      const error = method === 'getblockhash' ? { code: -8, message: 'Block height out of range' } : { code: -5 };
      if (!header) return response.writeHead(500).end(JSON.stringify({ result: null, error, id }));
      const result = method === 'getblockhash' ? shown(header) : lie(hex(header));
      return response.end(JSON.stringify({ result, error: null, id }));
    }),
  );
}

function headerOf(chain: Chain, hash: string | undefined): Uint8Array | undefined {
  for (let height = 0; height <= chain.height(); height += 1) {
    const header = chain.block(height)?.header;
    if (header && shown(header) === hash) return header;
  }
  return undefined;
}

function shown(header: Uint8Array): string {
  return hex(doubleSha256(header).reverse());
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
