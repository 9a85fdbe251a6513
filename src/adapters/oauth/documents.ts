import type { Configuration } from 'oidc-provider';
import { readClientMetadata } from '../../domain/oauth-client.js';
import { NotAllowed, type PublicFetch, TooLarge, Unavailable } from '../public-fetch.js';

/** Bounds of a metadata document of a client. */
const most = { bytes: 5 * 1024, ms: 5000, atOnce: 8, cachedSeconds: 3600 };

/** The reason why a metadata document cannot be used: the end of a sentence for the person at the browser. */
export class UnusableDocument extends Error {}

/**
 * Fetches metadata documents of clients, whose addresses anyone may choose, by the rules of URL imports. The library gets a
 * document with the values that this server supports.
 */
export function createDocumentFetch(fetch: PublicFetch): NonNullable<Configuration['fetch']> {
  let fetching = 0;
  return async (address) => {
    if (fetching >= most.atOnce) throw new UnusableDocument('too many are being fetched, retry shortly');
    fetching += 1;
    try {
      const body = JSON.stringify(await readDocument(fetch, String(address)));
      return new Response(body, { headers: { 'cache-control': `max-age=${most.cachedSeconds}` } });
    } finally {
      fetching -= 1;
    }
  };
}

async function readDocument(fetch: PublicFetch, address: string): Promise<object> {
  const document = await fetchDocument(fetch, address);
  if (document.client_id !== address) throw new UnusableDocument('its client_id is not its address');
  const { token_endpoint_auth_method: method = 'none' } = document;
  if (method !== 'none') throw new UnusableDocument('its token_endpoint_auth_method is not none');
  const read = readClientMetadata({ ...document, token_endpoint_auth_method: 'none' });
  if ('error' in read) throw new UnusableDocument(read.sentence.replace(/\.$/, ''));
  return { ...read, client_id: address };
}

async function fetchDocument(fetch: PublicFetch, address: string): Promise<Readonly<Record<string, unknown>>> {
  const answer = await fetch(new URL(address), {
    method: 'GET',
    headers: { accept: 'application/json' },
    timeoutMs: most.ms,
    maxBytes: most.bytes,
    redirects: 0,
  }).catch(asUnusable);
  if (answer.status !== 200) throw new UnusableDocument(`its server answered ${answer.status}`);
  const read = parsed(answer.body);
  if (read === null) throw new UnusableDocument('it is not a JSON object');
  return read;
}

function parsed(body: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function asUnusable(error: unknown): never {
  if (error instanceof TooLarge) throw new UnusableDocument(`it has more than ${most.bytes} bytes`);
  if (error instanceof NotAllowed) throw new UnusableDocument('its address is not one of the public internet');
  if (error instanceof Unavailable) throw new UnusableDocument(error.message);
  throw error;
}
