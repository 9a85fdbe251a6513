import { z } from 'zod';
import { boundedFetch, Unavailable } from './bounded-fetch.js';

/** A node of Ethereum, as far as a verifier needs it. */
export interface EthereumNode {
  /** The host of its address. The rest may hold credentials, so it is never shown. */
  readonly host: string;
  chainId(): Promise<number>;
  /** The hash of the block with this number on the node's chain, in lowercase hex; undefined when there is none. */
  blockHash(number: number): Promise<string | undefined>;
  /** The number of the newest block that the chain does not replace any more; -1 when there is none. */
  settledUntil(): Promise<number>;
}

/** A block with this number of others above it counts as settled, also where the node does not say which blocks are finalized. */
const settledDepth = 64;

/** The largest answer in bytes: a block with the hashes of its transactions. */
const maxBytes = 4 * 1024 * 1024;
const defaultTimeoutMs = 10_000;

const quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,13}$/)
  .transform(Number);
const rpcAnswer = z.object({ result: z.unknown(), error: z.object({ code: z.int() }).nullish() });
const blockAnswer = z.object({ number: quantity, hash: z.string().regex(/^0x[0-9a-f]{64}$/) }).nullable();

/**
 * A node that speaks JSON-RPC over HTTP. A user name and a password in the address become the header of Basic
 * authentication, because fetch refuses them there.
 * @throws Unavailable for an address that cannot be read
 */
export function openEthereumNode(where: string, timeoutMs = defaultTimeoutMs): EthereumNode {
  const { address, headers } = addressOf(where);

  async function call<T>(method: string, params: readonly unknown[], form: z.ZodType<T>): Promise<T> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answer = await boundedFetch(address.href, { method: 'POST', headers, body, timeoutMs, maxBytes });
    if (answer.status !== 200) throw new Unavailable(`it answered ${answer.status}`);
    const { result, error } = understood(rpcAnswer, parsed(Buffer.from(answer.body).toString('utf8')));
    if (error) throw new Unavailable(`it refused ${method} with code ${error.code}`);
    return understood(form, result);
  }

  async function numberOf(tag: 'latest' | 'finalized'): Promise<number> {
    const block = await call('eth_getBlockByNumber', [tag, false], blockAnswer);
    return block?.number ?? -1;
  }

  /** Not every chain finalizes its blocks, and some nodes refuse to answer before the first one is. */
  async function finalized(): Promise<number> {
    try {
      return await numberOf('finalized');
    } catch (error) {
      if (error instanceof Unavailable) return -1;
      throw error;
    }
  }

  return {
    host: address.host,
    chainId: () => call('eth_chainId', [], quantity),
    async blockHash(number) {
      const block = await call('eth_getBlockByNumber', [`0x${number.toString(16)}`, false], blockAnswer);
      if (block && block.number !== number) throw new Unavailable(`it gave another block than block ${number}`);
      return block?.hash.slice(2);
    },
    async settledUntil() {
      const [head, final] = [await numberOf('latest'), await finalized()];
      // A node whose final block is above its newest one is wrong about one of them.
      return Math.max(-1, head - settledDepth, Math.min(final, head));
    },
  };
}

function addressOf(where: string): { address: URL; headers: Record<string, string> } {
  if (!URL.canParse(where)) throw new Unavailable('the address of the node of Ethereum cannot be read');
  const address = new URL(where);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (address.username !== '' || address.password !== '') {
    const credentials = `${decodeURIComponent(address.username)}:${decodeURIComponent(address.password)}`;
    headers.authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  }
  address.username = '';
  address.password = '';
  return { address, headers };
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
