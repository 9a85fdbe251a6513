import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { BitcoinHeaders } from '../tlog/anchoring/sources.js';
import { type EasiestTarget, faultOfWork, mainChain, parseHeader, shownHash } from '../verifier/bitcoin.js';
import {
  type BoundedAnswer,
  type BoundedFetch,
  type BoundedRequest,
  boundedFetch,
  Unavailable,
} from './bounded-fetch.js';

export interface HeaderOptions {
  readonly easiest?: EasiestTarget;
  readonly timeoutMs?: number;
  readonly ask?: BoundedFetch;
}

/** The header of the block of a height, or undefined where the source has none. */
export type Find = (height: number) => Promise<Uint8Array | undefined>;

/** The source has answered, and its answer contradicts itself. */
export class Unbelievable extends Unavailable {}

/** The largest answer in bytes. The longest one is a header in hex inside some JSON. */
const maxBytes = 4096;
const defaultTimeoutMs = 10_000;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const headerHex = z.string().regex(/^[0-9a-f]{160}$/);

/**
 * @param where a file with a JSON object of height → header in hex, read once; or the address of an Esplora server; or,
 * if the address has a user name and password, of a Bitcoin node's RPC
 * @throws Unavailable for a file that cannot be used
 */
export async function openBitcoinHeaders(where: string, options: HeaderOptions = {}): Promise<BitcoinHeaders> {
  const { easiest = mainChain } = options;
  const find = await sourceOf(where, options);
  return {
    async header(height) {
      const bytes = await find(height);
      const fault = bytes && faultOfWork(parseHeader(bytes), easiest);
      if (fault !== undefined) throw new Unbelievable(`its header of block ${height} is ${fault}`);
      return bytes;
    },
  };
}

/** The same without a look at the work of the headers, for readers that check it themselves. */
export function openHeaderSource(where: string, options: HeaderOptions = {}): Promise<Find> {
  return sourceOf(where, options);
}

type Get = (url: string, request?: Omit<BoundedRequest, 'timeoutMs' | 'maxBytes'>) => Promise<BoundedAnswer>;

async function sourceOf(where: string, options: HeaderOptions): Promise<Find> {
  const { timeoutMs = defaultTimeoutMs, ask = boundedFetch } = options;
  const get: Get = (url, request = {}) => ask(url, { ...request, timeoutMs, maxBytes });
  if (!/^https?:\/\//.test(where)) return headersFile(where);
  const url = new URL(where);
  return url.username === '' && url.password === '' ? esplora(where, get) : bitcoinNode(url, get);
}

async function headersFile(path: string): Promise<Find> {
  const file = z.record(z.string().regex(/^(0|[1-9][0-9]*)$/), headerHex);
  try {
    const headers = new Map(Object.entries(file.parse(JSON.parse(await readFile(path, 'utf8')))));
    return async (height) => fromHex(headers.get(String(height)));
  } catch {
    throw new Unavailable(`${path} cannot be read as a JSON object of height and block header in hex`);
  }
}

/** https://github.com/Blockstream/esplora/blob/master/API.md: `/block-height/:height`, `/block/:hash/header`. */
function esplora(address: string, get: Get): Find {
  const base = address.replace(/\/+$/, '');

  async function text<T>(path: string, form: z.ZodType<T>): Promise<T | undefined> {
    const answer = await get(base + path);
    if (answer.status === 404) return undefined;
    if (answer.status !== 200) throw new Unavailable(`it answered ${answer.status}`);
    return understood(form, decode(answer).trim());
  }

  return byHash(
    (height) => text(`/block-height/${height}`, hash),
    (wanted) => text(`/block/${wanted}/header`, headerHex),
  );
}

/** Code of Bitcoin Core for a parameter out of its range, such as a height that the chain has not reached. */
const outOfRange = -8;
const rpcAnswer = z.object({ result: z.unknown(), error: z.object({ code: z.int() }).nullish() });

/** Bitcoin Core's RPC: `getblockhash`, and `getblockheader` without decoding. */
function bitcoinNode(url: URL, get: Get): Find {
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const headers = {
    'content-type': 'application/json',
    authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
  };
  // Fetch refuses addresses with credentials in them.
  const address = new URL(url);
  address.username = '';
  address.password = '';

  async function call<T>(method: string, params: readonly unknown[], form: z.ZodType<T>): Promise<T | undefined> {
    const body = JSON.stringify({ jsonrpc: '1.0', id: 'counterfoil', method, params });
    const answer = await get(address.href, { method: 'POST', headers, body });
    // Errors of a method have status 500 and a body. Errors of the server, such as a wrong password, have no body.
    if (answer.status !== 200 && answer.status !== 500) throw new Unavailable(`it answered ${answer.status}`);
    const { result, error } = understood(rpcAnswer, parsed(decode(answer)));
    if (error?.code === outOfRange) return undefined;
    if (error) throw new Unavailable(`it refused ${method} with code ${error.code}`);
    return understood(form, result);
  }

  return byHash(
    (height) => call('getblockhash', [height], hash),
    (wanted) => call('getblockheader', [wanted, false], headerHex),
  );
}

/** Fetches the hash of a height and the header of that hash, and checks that they belong together. */
function byHash(
  hashAt: (height: number) => Promise<string | undefined>,
  headerOf: (wanted: string) => Promise<string | undefined>,
): Find {
  return async (height) => {
    const wanted = await hashAt(height);
    if (wanted === undefined) return undefined;
    const bytes = fromHex(await headerOf(wanted));
    if (bytes && shownHash(parseHeader(bytes).hash) !== wanted) {
      throw new Unbelievable(`the source gave another header than that of block ${wanted}`);
    }
    return bytes;
  };
}

function understood<T>(form: z.ZodType<T>, value: unknown): T {
  const read = form.safeParse(value);
  if (!read.success) throw new Unavailable('its answer cannot be understood');
  return read.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Unavailable('its answer is not JSON');
  }
}

function decode({ body }: BoundedAnswer): string {
  return Buffer.from(body).toString('utf8');
}

function fromHex(hex: string | undefined): Uint8Array | undefined {
  return hex === undefined ? undefined : new Uint8Array(Buffer.from(hex, 'hex'));
}
