import { z } from 'zod';
import { type BoundedAnswer, type BoundedFetch, Unavailable } from '../bounded-fetch.js';
import { faultOf, NodeFailed } from './faults.js';

/** Milliseconds for each answer, or a function that says how many there are for the next one. */
export type Patience = number | (() => number);

/** Calls a method of a node and reads its result. @throws NodeFailed */
type CallNode = <T>(method: string, params: readonly unknown[], result: z.ZodType<T>, maxBytes?: number) => Promise<T>;

/** An answer about one thing, such as a block with the hashes of its transactions. */
const smallBytes = 1024 * 1024;
/** Statuses of a wrong address or of credentials that are not accepted. */
const refusals: readonly number[] = [401, 403, 404];
const longestMessage = 200;
/** Shorter parts of an address occur in sentences by chance. */
const shortestSecret = 6;

const response = z.object({
  id: z.union([z.number(), z.null()]),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).nullish(),
});

/**
 * A client of JSON-RPC over HTTP. Nothing that the node answers is trusted: the size and time of each answer are limited, its
 * form is checked, and its texts are quoted without parts of the address, because providers repeat keys in their messages.
 */
export function openJsonRpc(rpcUrl: string, patience: Patience, ask: BoundedFetch): CallNode {
  const { url, authorization } = withoutCredentials(rpcUrl);
  const quote = quoteWithout(secretsIn(rpcUrl));
  let last = 0;

  async function post(
    method: string,
    params: readonly unknown[],
    id: number,
    maxBytes: number,
  ): Promise<BoundedAnswer> {
    try {
      return await ask(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'counterfoil', ...authorization },
        body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
        timeoutMs: typeof patience === 'number' ? patience : patience(),
        maxBytes,
      });
    } catch (error) {
      if (error instanceof Unavailable) throw new NodeFailed('unavailable', quote(error.message));
      throw error;
    }
  }

  return async (method, params, result, maxBytes = smallBytes) => {
    last += 1;
    const id = last;
    const answer = await post(method, params, id, maxBytes);
    const read = response.safeParse(parse(answer.body));
    // Providers send errors of JSON-RPC with other statuses than 200 too.
    if (read.success && read.data.error) {
      const { code, message } = read.data.error;
      const fault = answer.status === 429 ? 'unavailable' : faultOf(code, message);
      throw new NodeFailed(fault, `it refused ${method}: ${quote(message)}`, answer.retryAfterMs);
    }
    if (answer.status !== 200) {
      const fault = refusals.includes(answer.status) ? 'refused' : 'unavailable';
      throw new NodeFailed(fault, `it answered ${method} with status ${answer.status}`, answer.retryAfterMs);
    }
    if (!read.success || read.data.id !== id) {
      throw new NodeFailed('unavailable', `it answered ${method} with something that is not JSON-RPC`);
    }
    const value = result.safeParse(read.data.result);
    if (value.success) return value.data;
    const at = value.error.issues[0]?.path.join('.') ?? '';
    throw new NodeFailed('unavailable', `it answered ${method} with a wrong value${at === '' ? '' : ` of ${at}`}`);
  };
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return null;
  }
}

/** fetch refuses addresses with credentials, so they are sent as a header. */
function withoutCredentials(rpcUrl: string) {
  const url = new URL(rpcUrl);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  if (username === '' && password === '') return { url: url.href, authorization: {} };
  const given = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url: url.href, authorization: { authorization: `Basic ${Buffer.from(given).toString('base64')}` } };
}

/** Every part of the address that may be a credential. */
function secretsIn(rpcUrl: string): string[] {
  const { username, password, host, pathname, searchParams } = new URL(rpcUrl);
  const parts = [username, password, host, ...pathname.split('/'), ...searchParams.values()];
  return [...parts, ...parts.map((part) => safelyDecoded(part))].filter(({ length }) => length >= shortestSecret);
}

function safelyDecoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function quoteWithout(secrets: readonly string[]): (text: string) => string {
  return (text) => {
    const hidden = secrets.reduce((left, secret) => left.replaceAll(secret, '…'), text.slice(0, 10 * longestMessage));
    const line = hidden.replace(/[\p{C}\s]+/gu, ' ').trim();
    return line.length > longestMessage ? `${line.slice(0, longestMessage)}…` : line;
  };
}
