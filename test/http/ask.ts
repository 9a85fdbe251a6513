import { checkReply, pathAt } from '../openapi/check.js';
import { remember } from '../openapi/seen.js';

export interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly bytes: Uint8Array;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what came, no matter its shape, and says what it must be
  readonly json: any;
}

/**
 * Sends a request and holds the reply against the description of the API: no matter what it does not describe fails the test. And
 * keeps in mind which code and status of which route a test has provoked.
 */
export async function ask(origin: string, method: string, path: string, init: RequestInit = {}): Promise<Asked> {
  const response = await fetch(`${origin}${path}`, { ...init, method });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const text = Buffer.from(bytes).toString('utf8');
  const { status, headers } = response;
  const { operation, code, faults } = checkReply({ method, path, status, headers, text });
  remember({ method, path: operation?.path ?? pathAt(path) ?? null, status, code });
  if (faults.length > 0) throw new Error(`The description of the API says otherwise.\n${faults.join('\n')}`);
  return { status, headers, text, bytes, json: text !== '' && isJson(headers) ? JSON.parse(text) : null };
}

/**
 * By the type and never by the first byte: a tile of hashes begins with the byte of `{` or `[` in one case of 128. Lines of JSON have
 * a type of their own and are no JSON.
 */
function isJson(headers: Headers): boolean {
  return /^application\/([a-z-]+\+)?json(;|$)/.test(headers.get('content-type') ?? '');
}
